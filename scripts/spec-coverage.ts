/**
 * `node scripts/spec-coverage.ts [path]`: holds docs/spec-coverage.md true. Each sentence of the
 * specification has a row, and the tests that a row names say what is quoted in it.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCoverage } from './spec-coverage/coverage.ts'
import { faultsOf } from './spec-coverage/faults.ts'
import { readSpecification } from './spec-coverage/specification.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = process.argv[2] ?? join(root, '../shared/spec.md')

if (existsSync(file)) check()
else console.log(`There is no specification at ${file}: its coverage is not checked.`)

function check() {
  const rows = readCoverage(read('docs/spec-coverage.md'))
  const faults = faultsOf({
    specification: readSpecification(readFileSync(file, 'utf8')),
    rows,
    testFile: (path) => (existsSync(join(root, path)) ? read(path) : undefined),
    product: globSync('src/**/*.{ts,tsx,html}', { cwd: root }).map(read),
  })
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
  else console.log(`docs/spec-coverage.md is true: ${rows.length} rows.`)
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
