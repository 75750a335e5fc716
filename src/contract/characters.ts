/** Characters that no database column, header, mail or file name of ours should ever meet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL = /[\u0000-\u001f\u007f]/
