import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/* A server preloads this, and its threads with it: its passwords cost as little as those of `quickKey`. */
const { scryptSync } = crypto
crypto.scryptSync = (password, salt, bytes) =>
  scryptSync(password, salt, bytes, { N: 2, r: 1, p: 1 })
syncBuiltinESMExports()
