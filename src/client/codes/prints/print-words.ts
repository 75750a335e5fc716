import type { PrintProof, ProofVerdict } from '#contract/pictures/scan-checks.ts'
import type { PrintTrouble } from '#qr/photo/troubles.ts'
import { capitalized, formatDay } from '../../formats.ts'
import { PHOTO_MAX_MB, type PhotoRefusal } from './photo-sizes.ts'

type Words = { title: string; help: string }

/** Why a photo can't be read, and what helps. */
export const troubleWords: Record<PrintTrouble, Words> = {
  dark: {
    title: 'The photo is too dark',
    help: 'Take it again in better light, such as next to a window or under a lamp.',
  },
  blurred: {
    title: 'The photo is blurry',
    help: 'Hold your phone still, about 8 inches (20 cm) away, and tap the code on the screen to focus.',
  },
  glare: {
    title: 'Light hides a part of the code',
    help: 'A lamp, the flash, or the sun reflects off it. Tilt your phone or the print a little until you can see the whole code.',
  },
  'cut-off': {
    title: 'Part of the code isn’t in the photo',
    help: 'Move your phone back a little until the whole code and the blank border around it are in the picture.',
  },
  'no-code': {
    title: 'No code found in this photo',
    help: 'Make sure the QR code is in the picture. Hold your phone straight above it, so the code fills about half of the picture.',
  },
  unclear: {
    title: 'There’s a code, but it can’t be read',
    help: 'Take another photo from straight above. If that doesn’t help, the print may be damaged, too small, or too pale.',
  },
}

export const refusalWords: Record<PhotoRefusal, Words> = {
  'too-large': {
    title: 'This file is too large',
    help: `Choose a photo of up to ${PHOTO_MAX_MB} MB.`,
  },
  heic: {
    title: 'This browser can’t open HEIC photos',
    help: 'Choose a JPG or PNG. To take JPG photos with an iPhone, go to Settings > Camera > Formats and choose “Most Compatible”.',
  },
  'not-a-picture': {
    title: 'This file isn’t a photo',
    help: 'Choose a picture, such as a JPG or PNG.',
  },
  broken: {
    title: 'This picture can’t be opened',
    help: 'The file may be damaged, or too large for this device. Choose another one.',
  },
  failed: {
    title: 'The photo couldn’t be read here',
    help: 'Reload the page and try again, or use another browser.',
  },
}

const verdictWords: Record<ProofVerdict, string> = {
  reads: 'it scans',
  'other-code': 'this was another of your codes',
  'other-address': 'this led somewhere else',
  dark: 'the photo was too dark',
  blurred: 'the photo was blurry',
  glare: 'light hid a part of the code',
  'cut-off': 'part of the code wasn’t in the photo',
  'no-code': 'the photo had no code in it',
  unclear: 'the code couldn’t be read',
}

/** "Print checked on Nov 23, 2026: it scans and leads to https://…" */
export function proofText({ verdict, checkedAt }: PrintProof, url: string): string {
  const what = verdict === 'reads' ? `it scans and leads to ${url}` : verdictWords[verdict]
  return `Print checked on ${formatDay(checkedAt)}: ${what}`
}

/** The result of a check, for a list with dates. */
export const verdictText = (verdict: ProofVerdict) => capitalized(verdictWords[verdict])
