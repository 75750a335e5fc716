/** Spaces before a line's text: the formatter indents all sources alike. */
export const indentOf = (line: string) => line.length - line.trimStart().length

export const isBlank = (line: string) => line.trim() === ''
