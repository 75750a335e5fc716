/** What the cards show, in tiles: see tile-picture.tsx. */
export const tilePictures = {
  finderPattern: ['#######', '#.....#', '#.ooo.#', '#.ooo.#', '#.ooo.#', '#.....#', '#######'],
  bars: ['......o', '......#', '....o.#', '....#.#', '..o.#.#', '..#.#.#', 'o.#.#.#'],
  download: ['...o...', '...o...', '.o.o.o.', '..ooo..', '#..o..#', '#.....#', '#######'],
  viewfinder: ['##...##', '#.....#', '..o.o..', '...o...', '..o.o..', '#.....#', '##...##'],
  place: ['..###..', '.#...#.', '#..o..#', '#.ooo.#', '.#.o.#.', '..#.#..', '...#...'],
  phone: ['.#####.', '.#...#.', '.#...#.', '.#...#.', '.#...#.', '.#.o.#.', '.#####.'],
  clock: ['..###..', '.#.o.#.', '#..o..#', '#..oo.#', '#.....#', '.#...#.', '..###..'],
} as const satisfies Record<string, readonly string[]>

export type TilePictureName = keyof typeof tilePictures
