/** `npm run clients`: writes the TypeScript client of this version's API as a package, into dist/clients/typescript. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { makeTypescriptClient } from './clients/typescript-client.ts'

const built = spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], { stdio: 'inherit' })
if (built.status !== 0) process.exit(1)
const folder = join('dist', 'clients', 'typescript')
await makeTypescriptClient('dist/openapi.json', folder)
console.log(`${folder} is a package: install it by its path, or publish it.`)
