/** Why a photo of a printed code cannot be read. `unclear`: a code is there, and nothing else stands out. */
export const printTroubles = ['dark', 'blurred', 'glare', 'cut-off', 'no-code', 'unclear'] as const
export type PrintTrouble = (typeof printTroubles)[number]
