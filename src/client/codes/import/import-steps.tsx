import { Button, Center, Text } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImportNow } from '#contract/imports.ts'
import type { Tier } from '#contract/plans.ts'
import { isRefusal } from '../../api.ts'
import { refreshAfterCodeChange } from '../../query-client.ts'
import { useFocusInside } from '../../ui/focus.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { toast } from '../../ui/messages/toast.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ChooseFile } from './choose-file.tsx'
import styles from './import.module.css'
import { NO_FILE, showImport } from './import-address.ts'
import { ImportPreview } from './import-preview.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportResult } from './import-result.tsx'
import { madeText } from './import-words.ts'
import { useImport } from './queries.ts'

type Props = { id: string; tier: Tier; hostUrl: string }

/** A file is chosen, looked through, and becomes codes. Each step takes the focus of the one before. */
export function ImportSteps({ id, ...about }: Props) {
  const area = useRef<HTMLDivElement>(null)
  useFocusInside(area)
  return (
    <div ref={area} tabIndex={-1} className={styles.steps}>
      {id === NO_FILE ? <ChooseFile /> : <Import key={id} id={id} {...about} />}
    </div>
  )
}

function Import({ id, ...about }: Props) {
  const found = useImport(id)
  if (found.data) return <Step now={found.data} {...about} />
  if (isRefusal(found.error, 'not_found')) {
    return (
      <Gone>This file is not here any more. Files that nobody uses are forgotten after a day.</Gone>
    )
  }
  if (found.isError) {
    return <LoadFailure what="The import" error={found.error} onRetry={found.refetch} />
  }
  return (
    <Center mih={320}>
      <Spinner label="Loading the import" />
    </Center>
  )
}

function Step({ now, tier, hostUrl }: Omit<Props, 'id'> & { now: ImportNow }) {
  if (now.state === 'publishing') return <ImportProgress now={now} />
  if (now.state === 'published') return <ImportResult now={now} hostUrl={hostUrl} />
  return <ImportPreview now={now} tier={tier} />
}

function Gone({ children }: { children: ReactNode }) {
  return (
    <div className={styles.gone} role="status">
      <Text>{children}</Text>
      <Button onClick={() => showImport(NO_FILE)}>Choose a file</Button>
    </div>
  )
}

/** Looks after codes that are being made, also while the dialog is closed: the list gets them when they are there. */
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
    const { rows, fault } = data ?? { rows: 0, fault: null }
    if (data?.state === 'published') void refreshAfterCodeChange()
    if (isShown) return
    if (data?.state === 'published') toast.success(madeText(rows))
    else toast.error(fault?.message ?? 'No QR codes were made.')
  })
  const state = data?.state
  useEffect(() => {
    const was = before.current
    before.current = state
    if (was === 'publishing' && state !== undefined && state !== 'publishing') tell()
  }, [state])
  return null
}
