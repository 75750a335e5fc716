import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, textOfCell } from '#contract/csv.ts'

const read = (line: string): string[] =>
  (parse(line) as string[][]).flat().map((cell) => textOfCell(cell))

test.each(['=1+1', '+49', '-5', '@SUM(A1)', '\tx', '\rx', '＝1', "'=1"])(
  'a spreadsheet takes %j for a text, and an import reads it as it was',
  (text) => {
    expect(csvLine([text])).toMatch(/^"?'/)
    expect(read(csvLine([text, 'b']))).toEqual([text, 'b'])
  },
)

test('a number is not a formula', () => {
  expect(csvLine(['-menu', 12, -3])).toBe("'-menu,12,-3\r\n")
})

test('every text survives a table that is written and read again', () => {
  const sign = fc.constantFrom(...'\'"=+-@,;\t\r\n＝ab é')
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(sign).map((signs) => signs.join('')),
  )
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 4 }), (cells) => {
      expect(read(csvLine([...cells, 'end']))).toEqual([...cells, 'end'])
    }),
  )
})
