import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const SRC = new URL('../../../src/', import.meta.url)
const TABLES =
  /\b(scan_counts|scan_facets|scan_totals|facet_totals|totalled_codes|scan_packs|forgotten_codes|ledger_marks)\b|(\b(from|into|update|join|table) |(From|Into|Table|Join)\('|Tables\[')(scans|visitors|agents)\b/
/** The store, and what the whole database has: its tables, and those with rows of accounts */
const KNOWS =
  /^server\/(analytics\/store\/|database\/(migrations\/|schema\.ts)|accounts\/account-tables\.ts)/
const COMMENT = /^\s*(\/?\*|\/\/)/

test('only the store names the tables of scans', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  const naming = files
    .filter((file) => /\.tsx?$/.test(file) && !KNOWS.test(file))
    .flatMap((file) => {
      const lines = readFileSync(new URL(file, SRC), 'utf8').split('\n')
      const found = lines.find((line) => TABLES.test(line) && !COMMENT.test(line))
      return found === undefined ? [] : [`${file}: ${found}`]
    })
  expect(naming).toEqual([])
})
