import { Box, Button, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImportNow } from '#contract/imports.ts'
import { isRefusal } from '../../api.ts'
import { formatCount } from '../../formats.ts'
import { refreshAfterCodeChange } from '../../query-client.ts'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { importAddress, NO_FILE } from '../addresses.ts'
import { ChooseFile } from './choose-file.tsx'
import { ImportPreview } from './import-preview.tsx'
import { CENTERED, ImportResult } from './import-result.tsx'
import { createdText, readyRows } from './import-words.ts'
import { useImport } from './queries.ts'

/** A file is chosen, looked through, and becomes codes. Each step takes the focus of the one before. */
export function ImportSteps({ id }: { id: string }) {
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  return (
    <div ref={area} tabIndex={-1}>
      {id === NO_FILE ? <ChooseFile /> : <Import key={id} id={id} />}
    </div>
  )
}

function Import({ id }: { id: string }) {
  const found = useImport(id)
  if (isRefusal(found.error, 'not_found') && !found.data) {
    return (
      <Stack {...CENTERED} role="status">
        <Text>This file is no longer here. Files that aren’t imported are kept for a day.</Text>
        <Button onClick={() => importAddress.replace(NO_FILE)}>Choose a file</Button>
      </Stack>
    )
  }
  return (
    <Loaded query={found.data ? { ...found, error: null } : found} what="The import" height={320}>
      {(now) => <Step now={now} />}
    </Loaded>
  )
}

function Step({ now }: { now: ImportNow }) {
  if (now.state === 'publishing') return <ImportProgress now={now} />
  if (now.state === 'published') return <ImportResult now={now} />
  return <ImportPreview now={now} />
}

/** While the codes are created, which goes on without the page. */
function ImportProgress({ now }: { now: ImportNow }) {
  const { done, name } = now
  const ready = readyRows(now)
  return (
    <Stack {...CENTERED}>
      <Text fw={600} role="status">
        Creating your QR codes...
      </Text>
      <Box w="min(420px, 100%)">
        <Progress
          size="lg"
          value={ready === 0 ? 0 : (100 * done) / ready}
          animated={done >= ready}
          aria-label={`QR codes from ${name}`}
        />
        <Text size="sm" mt={4}>
          {done >= ready
            ? 'Adding them to your list...'
            : `${formatCount(done)} of ${formatCount(ready)}`}
        </Text>
      </Box>
      <Quiet>
        They’ll appear in your list all at once. You can close this window or leave the page: the
        import continues.
      </Quiet>
      <PlainButton onClick={importAddress.close}>Close</PlainButton>
    </Stack>
  )
}

/** Looks after codes that are being created, also while the dialog is closed: the list gets them when they are there. */
export function ImportWatch({ asked }: { asked: string | null }) {
  const [followed, follow] = useState(NO_FILE)
  const { data: shown } = useImport(asked ?? NO_FILE)
  const { data } = useImport(followed)
  const before = useRef(data?.state)
  const isShown = asked === followed
  useEffect(() => {
    if (shown?.state === 'publishing') follow(shown.id)
  }, [shown])
  const tell = useEffectEvent(() => {
    const { done, fault } = data ?? { done: 0, fault: null }
    if (data?.state === 'published') void refreshAfterCodeChange()
    if (isShown) return
    if (data?.state === 'published') toast.success(createdText(done))
    else toast.error(fault?.message ?? 'No QR codes were created.')
  })
  const state = data?.state
  useEffect(() => {
    const was = before.current
    before.current = state
    if (was === 'publishing' && state !== undefined && state !== 'publishing') tell()
  }, [state])
  return null
}
