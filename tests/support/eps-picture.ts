import sharp from 'sharp'

/**
 * An EPS of ours as pixels: its filled paths as an SVG that librsvg draws, `width` pixels wide. It knows
 * the operators that ours have, no gradient and no picture, and throws at any other.
 */
export async function epsPicture(file: Uint8Array, width: number) {
  const text = Buffer.from(file).toString('latin1')
  const box = /^%%HiResBoundingBox: 0 0 ([\d.]+) ([\d.]+)$/m.exec(text)
  if (!box) throw new Error('The EPS has no box')
  const [points, high] = [Number(box[1]), Number(box[2])]
  const body = text.replace(/^%.*$/gm, '').replace(/^.*load def$/m, '')
  const svg = [`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${points} ${high}">`]
  let [path, fill, matrix] = ['', '', '']
  let numbers: number[] = []
  for (const word of body.match(/[^\s[\]]+|[[\]]/g) ?? []) {
    const values = numbers.join(' ')
    if (/^-?[\d.]+$/.test(word)) {
      numbers.push(Number(word))
      continue
    }
    if (word === 'm' || word === 'l' || word === 'c') path += `${word.toUpperCase()}${values}`
    else if (word === 'h') path += 'z'
    else if (word === 'f') {
      svg.push(`<path transform="${matrix}" fill="${fill}" d="${path}"/>`)
      path = ''
    } else if (word.endsWith('color')) fill = colourOf(numbers, word)
    else if (word === 'concat') matrix = `matrix(1 0 0 -1 0 ${high}) matrix(${values})`
    else if (word === '[' || word === ']') continue
    else if (!['dict', 'begin', 'gsave', 'grestore', 'end'].includes(word)) {
      throw new Error(`${word} is no operator of ours`)
    }
    numbers = []
  }
  return sharp(Buffer.from(`${svg.join('')}</svg>`))
    .resize({ width })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
}

function colourOf(inks: number[], operator: string): string {
  const [a = 0, b = 0, c = 0, black = 0] = inks
  const rgb =
    operator === 'setrgbcolor' ? [a, b, c] : [a, b, c].map((ink) => (1 - ink) * (1 - black))
  return `rgb(${rgb.map((share) => Math.round(255 * share)).join()})`
}
