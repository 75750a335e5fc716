import { Group, Text } from '@mantine/core'
import { CircleCheck, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { statusOf } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import type { PrintTrouble } from '#qr/photo/troubles.ts'
import { Quiet } from '../../ui/quiet.tsx'
import rows from '../../ui/rows.module.css'
import { PHOTO_MAX_MB, type PhotoRefusal, type PhotoResult } from './photo-sizes.ts'
import type { Sighting } from './sighting.ts'

type Props = {
  photo: PhotoResult
  code: QrCode
  /** The code in a photo that could be read */
  sighting: Sighting | undefined
  keeping: 'idle' | 'pending' | 'success' | 'error' | 'demo'
}

/** The result of a photo: its code, or why it cannot be read and what helps. */
export function Result({ photo, code, sighting, keeping }: Props) {
  const isRead = photo.kind === 'read'
  const isRefused = photo.kind === 'refused'
  const said: Said | undefined = isRead
    ? sighting && wordsOf(sighting, code)
    : { kind: 'trouble', ...whyUnread(photo) }
  return (
    <>
      {said && <Shown {...said} />}
      {isRead && photo.texts.length > 1 && (
        <Quiet>There are {photo.texts.length} codes in the photo. This is about one of them.</Quiet>
      )}
      {!isRefused && keeping === 'error' && (
        <Quiet>We couldn’t save this check. Check your connection and try again.</Quiet>
      )}
      {!isRefused && keeping === 'demo' && <Quiet>This is a demo, so the check isn’t saved.</Quiet>}
    </>
  )
}

const whyUnread = (photo: Exclude<PhotoResult, { kind: 'read' }>) =>
  photo.kind === 'refused' ? refusalWords[photo.why] : troubleWords[photo.trouble]

const looks = {
  good: { icon: CircleCheck, colour: 'var(--good)' },
  trouble: { icon: TriangleAlert, colour: 'var(--doubtful)' },
  wrong: { icon: OctagonX, colour: 'var(--bad)' },
}

type Said = { kind: keyof typeof looks; title: string; help: ReactNode }

function Shown({ kind, title, help }: Said) {
  const { icon: Icon, colour } = looks[kind]
  return (
    <Group
      gap={12}
      wrap="nowrap"
      align="flex-start"
      p="14px 16px"
      bdrs="md"
      style={{ border: '1px solid var(--line)', borderInlineStart: `4px solid ${colour}` }}
    >
      <Icon size={20} color={colour} style={{ flexShrink: 0, marginTop: 2 }} />
      <div className={rows.words}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" component="div">
          {help}
        </Text>
      </div>
    </Group>
  )
}

function wordsOf(sighting: Sighting, code: QrCode): Said {
  switch (sighting.kind) {
    case 'this':
      return wordsOfThis(code)
    case 'own':
      return {
        kind: 'wrong',
        title: `This is another of your codes: “${sighting.name}”`,
        help: sighting.isInBin
          ? 'It’s in your trash, so it leads nowhere. You can restore it from there.'
          : `It scans, and leads to ${sighting.url}`,
      }
    case 'ours':
      return {
        kind: 'wrong',
        title: 'This isn’t one of your codes',
        help: 'It scans, and it’s a Tessera code, but it’s not in your account.',
      }
    case 'elsewhere':
      return {
        kind: 'wrong',
        title: 'This code leads somewhere else',
        help: (
          <>
            It isn’t a Tessera code. It says: <bdi>{shortened(sighting.text)}</bdi>
          </>
        ),
      }
  }
}

const stopped = {
  paused: 'It’s paused: people who scan it see a page that says so.',
  expired: 'It has expired: people who scan it see a page that says so.',
}

function wordsOfThis(code: QrCode): Said {
  const status = statusOf(code, new Date())
  const leads = `This is “${code.name}”, and it leads to ${code.url}`
  if (status === 'active') return { kind: 'good', title: 'The print scans', help: leads }
  return {
    kind: 'trouble',
    title: 'The print scans, but the code isn’t working',
    help: `${leads}. ${stopped[status === 'expired' ? 'expired' : 'paused']}`,
  }
}

/** A code may hold a page of text. */
const SAID_MAX = 300

const shortened = (text: string) => (text.length > SAID_MAX ? `${text.slice(0, SAID_MAX)} …` : text)

type Words = { title: string; help: string }

/** Why a photo can't be read, and what helps. */
const troubleWords: Record<PrintTrouble, Words> = {
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

const refusalWords: Record<PhotoRefusal, Words> = {
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
