/** A cell that a spreadsheet takes for a formula, or that reads as if we had put a quote before one; full-width signs count in some languages. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A quote before what looks like a formula keeps it a text. */
export function csvCell(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The text that `csvCell` wrote, without the quote that it put before what looks like a formula. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/** Begins a file so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'
