import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder for the data of a test, inside the folder that `npm test` makes for the run. */
export const newFolder = () => mkdtemp(join(process.env.TEST_DIR ?? tmpdir(), 'tessera-'))
