import type { PrintProof, ProofVerdict } from '#contract/pictures/scan-checks.ts'
import type { PrintTrouble } from '#qr/photo/troubles.ts'
import { formatDay } from '../../formats.ts'
import { PHOTO_MAX_MB, type PhotoRefusal } from './photo-sizes.ts'

type Words = { title: string; help: string }

/** Why a photo could not be read, and what helps. */
export const troubleWords: Record<PrintTrouble, Words> = {
  dark: {
    title: 'The photo is too dark',
    help: 'Take it again in more light, such as beside a window or under a lamp.',
  },
  blurred: {
    title: 'The photo is blurred',
    help: 'Hold the phone still, about 20 cm away. Touch the code on the screen, so that the camera focuses on it.',
  },
  glare: {
    title: 'Light hides a part of the code',
    help: 'A lamp, the flash or the sun shines on it. Tilt the phone or the print a little until the whole code is seen.',
  },
  'cut-off': {
    title: 'A part of the code is not in the photo',
    help: 'Hold the phone a little farther away, until the whole code and its empty border are in the picture.',
  },
  'no-code': {
    title: 'No code found in this photo',
    help: 'Hold the phone straight above the code, so that the code fills about half of the picture.',
  },
  unclear: {
    title: 'There is a code, but it cannot be read',
    help: 'Take another photo, straight from above. If that cannot be read either, the print may be damaged, too small or too pale.',
  },
}

export const refusalWords: Record<PhotoRefusal, Words> = {
  'too-large': {
    title: 'This file is too large',
    help: `Choose a photo of at most ${PHOTO_MAX_MB} MB.`,
  },
  heic: {
    title: 'This browser cannot open HEIC photos',
    help: 'Choose a JPG or PNG. An iPhone takes JPG photos when Settings, Camera, Formats is on “Most Compatible”.',
  },
  'not-a-picture': {
    title: 'This file is not a photo',
    help: 'Choose a picture, such as a JPG or PNG.',
  },
  broken: {
    title: 'This picture cannot be opened',
    help: 'The file may be damaged, or too large for this device. Choose another one.',
  },
  failed: {
    title: 'The photo could not be read here',
    help: 'Reload the page and try again, or use another browser.',
  },
}

const verdictWords: Record<ProofVerdict, string> = {
  reads: 'reads',
  'other-code': 'it was another of your codes',
  'other-address': 'it led somewhere else',
  dark: 'the photo was too dark',
  blurred: 'the photo was blurred',
  glare: 'light hid a part of the code',
  'cut-off': 'a part of the code was not in the photo',
  'no-code': 'the photo had no code in it',
  unclear: 'the code could not be read',
}

/** "Print checked on Nov 23, 2026: reads and leads to https://…" */
export function proofText({ verdict, checkedAt }: PrintProof, url: string): string {
  const what = verdict === 'reads' ? `reads and leads to ${url}` : verdictWords[verdict]
  return `Print checked on ${formatDay(checkedAt)}: ${what}`
}

/** The result of a check, for a list with dates. */
export const verdictText = (verdict: ProofVerdict) =>
  `${(verdictWords[verdict][0] as string).toUpperCase()}${verdictWords[verdict].slice(1)}`
