/** Makes a file of `count` codes, of which the last `paths` have custom URLs. */
export function manyRows(count: number, paths = 0): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const path = index >= count - paths ? `place-${index + 1}` : ''
    return `Table ${index + 1},https://example.com/menu?table=${index + 1},${path}`
  })
  return `Name,Destination,Custom URL\n${lines.join('\n')}\n`
}
