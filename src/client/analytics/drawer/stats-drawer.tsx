import { Button, Modal } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { focusUnlessReturned } from '../../ui/focus.ts'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useAskedForReport } from '../report/report-address.ts'
import { ShareDialog } from '../sharing/share-dialog.tsx'
import { ALL, useAskedStats } from '../stats-address.ts'
import { Actions } from './actions.tsx'
import type { View } from './asked/view.ts'
import { closeStats, showStatsOf, useView } from './asked/view-address.ts'
import { ScansProgress } from './keep/scans-progress.tsx'
import { useScansFile } from './keep/use-scans-file.ts'
import type { Named } from './lists/codes-by-scans.tsx'
import { Panel } from './panel.tsx'
import styles from './stats-drawer.module.css'

/** The dialog of a code may be open below. */
const ABOVE_DIALOGS = 210

type Props = {
  /** Undefined while they are read. */
  codes: readonly Named[] | undefined
  /** Called when it has gone, for the focus. */
  onClosed: () => void
}

/** The analytics that the page's address asks for, beside the list. */
export function StatsDrawer({ codes, onClosed }: Props) {
  const asked = useAskedStats()
  const view = useView()
  const isThere = asked === ALL || codes?.some(({ id }) => id === asked) === true
  const isGone = asked !== null && codes !== undefined && !isThere
  const [opened, setOpened] = useState(false)
  // After the first drawing: only then is it known what had the focus before.
  useEffect(() => setOpened(asked !== null && isThere), [asked, isThere])
  useEffect(() => {
    if (isGone) void closeStats()
  }, [isGone])
  const shown = useLast(asked === null || !isThere ? null : { code: asked, view })
  const isReport = useAskedForReport()
  const [isSharing, sharing] = useDisclosure()
  const head = useRef<HTMLDivElement>(null)
  const scansFile = useScansFile()
  const narrow = useMediaQuery('(max-width: 48em)')
  const name = codes?.find(({ id }) => id === shown?.code)?.name
  return (
    <>
      <Modal.Root
        opened={opened}
        onClose={() => void closeStats()}
        closeOnEscape={!isSharing && !isReport}
        onExitTransitionEnd={onClosed}
        fullScreen={narrow}
        zIndex={ABOVE_DIALOGS}
        transitionProps={{ transition: 'slide-left', duration: 160 }}
        classNames={{
          inner: styles.inner,
          content: styles.content,
          header: styles.header,
          title: styles.name,
          body: styles.body,
        }}
      >
        <Modal.Overlay />
        <Modal.Content>
          <Modal.Header ref={head}>
            <Modal.Title title={name}>
              {name === undefined ? (
                'Analytics of all QR codes'
              ) : (
                <>
                  Analytics of <bdi>{name}</bdi>
                </>
              )}
            </Modal.Title>
            {shown && (
              <Actions
                name={name}
                onSaveScans={() => void scansFile.save(shown)}
                onShare={sharing.open}
                {...shown}
              />
            )}
            <Modal.CloseButton data-autofocus />
          </Modal.Header>
          <Modal.Body>
            <PanelBoundary what="The analytics">
              {shown && shown.code !== ALL && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  className={styles.all}
                  leftSection={<ArrowLeft size={16} aria-hidden />}
                  onClick={() => showStatsOf(ALL)}
                >
                  All QR codes
                </Button>
              )}
              {shown && <Panel key={shown.code} codes={codes ?? []} {...shown} />}
            </PanelBoundary>
          </Modal.Body>
          <ScansProgress {...scansFile} />
        </Modal.Content>
      </Modal.Root>
      {shown && name !== undefined && (
        <ShareDialog
          key={shown.code}
          opened={isSharing && opened}
          onClose={sharing.close}
          // Its opener was an item of a menu, which is gone.
          onClosed={() => focusUnlessReturned(() => head.current?.querySelector('button')?.focus())}
          code={shown.code}
          name={name}
        />
      )}
    </>
  )
}

/** It does not empty while it goes. */
function useLast(shown: { code: string; view: View } | null) {
  const last = useRef(shown)
  if (shown) last.current = shown
  return last.current
}
