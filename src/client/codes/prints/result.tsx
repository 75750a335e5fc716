import { Group, Text } from '@mantine/core'
import { CircleCheck, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { statusOf } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import { Quiet } from '../../ui/quiet.tsx'
import rows from '../../ui/rows.module.css'
import type { PhotoResult } from './photo-reader.ts'
import { refusalWords, troubleWords } from './print-words.ts'
import type { Sighting } from './sighting.ts'

type Props = {
  photo: PhotoResult
  code: QrCode
  /** The code in a photo that could be read */
  sighting: Sighting | null | undefined
  keeping: 'idle' | 'pending' | 'success' | 'error' | 'demo'
}

/** The result of a photo: its code, or why it cannot be read and what helps. */
export function Result({ photo, code, sighting, keeping }: Props) {
  const isRead = photo.kind === 'read'
  const isRefused = photo.kind === 'refused'
  const said: Said | null | undefined = isRead
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
    case 'nobodys':
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
