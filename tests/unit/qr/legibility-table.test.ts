import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { legibilityTable, tableFile } from '../../../scripts/legibility-table.ts'

test('docs/legibility.md says what the scan check finds today (or run its script)', async () => {
  expect(await readFile(tableFile, 'utf8')).toBe(await legibilityTable())
})
