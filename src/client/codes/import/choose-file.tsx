import {
  Anchor,
  Box,
  Button,
  FileButton,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { FileSpreadsheet, Upload } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IMPORT_ROWS_MAX } from '#contract/imports.ts'
import { isUnauthorized, serverMessageOf } from '../../api.ts'
import { useDropPlace } from '../../files/drop-place.ts'
import { formatCount, formatMoment, formatPercent } from '../../formats.ts'
import { useOnPhone } from '../../ui/dialog/dialog.tsx'
import formStyles from '../../ui/form.module.css'
import { reportFailure } from '../../ui/messages/failure.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import rows from '../../ui/rows.module.css'
import { Row, Rows } from '../../ui/rows.tsx'
import { importAddress } from '../addresses.ts'
import { ACCEPTED, FILE_MAX_TEXT, faultOf, stateText } from './import-words.ts'
import { keepMade, sendFile, TEMPLATE, useEarlierImports } from './queries.ts'

/** The first step: a file, and what may be in it. */
export function ChooseFile() {
  const { sending, fault, take, stop } = useSendFile()
  return (
    <Stack gap="lg">
      <Text size="sm">
        One row per QR code, with its name and destination. A custom URL and tags are optional.
        You’ll see every row before anything is created.
      </Text>
      {sending ? <Sending {...sending} onStop={stop} /> : <DropPlace onFile={take} />}
      <FailureAlert message={fault} />
      <SimpleGrid cols={useOnPhone() ? 1 : 3} spacing="lg" verticalSpacing="md">
        <Kind title="A spreadsheet">
          Save it as CSV with column names in the first row, whatever they are: you can match them
          next. Or{' '}
          <Anchor href={TEMPLATE} download inherit underline="always">
            download the template
          </Anchor>
          .
        </Kind>
        <Kind title="Another service">
          Exports from Bitly, Dub, Rebrandly, Short.io, QR TIGER, Shlink, Kutt, and YOURLS work as
          they are, with their paths, tags, and dates.
        </Kind>
        <Kind title="Your own export">
          A file from “Export” above your list or in your settings.
        </Kind>
      </SimpleGrid>
      {!sending && <EarlierImports />}
    </Stack>
  )
}

function Kind({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Quiet>{children}</Quiet>
    </div>
  )
}

const DROP = {
  className: formStyles.drop,
  align: 'center',
  gap: 10,
  px: 16,
  py: 28,
  ta: 'center',
} as const

/** Takes a file by a button or by drop. */
function DropPlace({ onFile }: { onFile: (file: File | null | undefined) => void }) {
  const place = useDropPlace(onFile)
  return (
    <Stack {...DROP} {...place}>
      <FileSpreadsheet size={36} strokeWidth={1.4} />
      <FileButton accept={ACCEPTED} onChange={onFile}>
        {({ onClick }) => (
          <Button data-autofocus leftSection={<Upload size={18} />} onClick={onClick}>
            Choose a CSV file
          </Button>
        )}
      </FileButton>
      <Quiet>
        or drop it here. Up to {formatCount(IMPORT_ROWS_MAX)} rows or {FILE_MAX_TEXT}.
      </Quiet>
    </Stack>
  )
}

type SendingFile = { name: string; share: number }

function Sending({ name, share, onStop }: SendingFile & { onStop: () => void }) {
  const isSent = share >= 1
  const text = isSent ? 'Reading the rows...' : `Uploading... ${formatPercent(share)}`
  return (
    <Stack {...DROP}>
      <FileSpreadsheet size={36} strokeWidth={1.4} />
      <Text size="sm" fw={600} className={rows.words} maw="100%" dir="auto">
        {name}
      </Text>
      <Box w="min(420px, 100%)">
        <Progress value={100 * share} animated={isSent} aria-label={text} />
        <Text size="sm" mt={4} role="status">
          {isSent ? text : 'Uploading...'}
        </Text>
      </Box>
      <PlainButton size="sm" onClick={onStop}>
        Cancel
      </PlainButton>
    </Stack>
  )
}

/** Sends a file, one at a time; then the address has it. It ends with the step. */
function useSendFile() {
  const [sending, setSending] = useState<SendingFile | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const way = useRef(new AbortController())
  useEffect(() => () => way.current.abort(), [])

  const take = async (file: File | null | undefined) => {
    if (!file || sending) return
    const wrong = faultOf(file)
    setFault(wrong)
    if (wrong) return
    way.current = new AbortController()
    const { signal } = way.current
    const report = (share: number) => setSending({ name: file.name, share })
    report(0)
    try {
      const made = await sendFile(file, { signal, report })
      // A user who has closed the dialog finds it among the earlier files.
      if (signal.aborted || importAddress.asked(window.location.search) === null) return
      keepMade(made)
      importAddress.replace(made.id)
    } catch (error) {
      if (signal.aborted) return
      if (isUnauthorized(error)) reportFailure(error, '')
      setFault(serverMessageOf(error) ?? NOT_SENT)
    }
    setSending(null)
  }
  const stop = () => {
    way.current.abort()
    setSending(null)
  }
  return { sending, fault, take: (file: File | null | undefined) => void take(file), stop }
}

const NOT_SENT = 'The file couldn’t be uploaded. Check your connection and try again.'

/** Files that were read before: those with which nothing was done yet, and the codes that came out of others. */
function EarlierImports() {
  const { data = [] } = useEarlierImports()
  if (data.length === 0) return null
  return (
    <section aria-labelledby="earlier-imports">
      <Title order={3} size="h5" id="earlier-imports">
        Earlier files
      </Title>
      <Rows>
        {data.map((one) => (
          <Row
            key={one.id}
            title={one.name}
            lines={[`${stateText(one)}, ${formatMoment(one.publishedAt ?? one.madeAt)}`]}
          >
            <PlainButton
              size="sm"
              aria-label={`Open ${one.name}`}
              onClick={() => importAddress.replace(one.id)}
            >
              Open
            </PlainButton>
          </Row>
        ))}
      </Rows>
    </section>
  )
}
