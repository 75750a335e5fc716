import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

/*
 * Loaded before the server of browser tests: its threads get no low priority. On a machine that others keep
 * busy they would have next to no time, and drawings would run into their limits.
 */

os.setPriority = () => {}
syncBuiltinESMExports()
