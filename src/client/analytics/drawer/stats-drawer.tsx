import { Button, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { useOnPhone } from '../../ui/dialog/dialog.tsx'
import { focusUnlessReturned } from '../../ui/focus.ts'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { ShareDialog } from '../sharing/share-dialog.tsx'
import { ALL, useAskedForReport, useAskedStats } from '../stats-address.ts'
import { Actions } from './actions.tsx'
import { ScansProgress, useScansFile } from './download/scans-file.tsx'
import type { Named } from './lists/gone-quiet.tsx'
import { Panel } from './panel.tsx'
import styles from './stats-drawer.module.css'
import { useAskedDialog } from './view/asked-dialog.ts'
import { closeStats, showStatsOf, useView } from './view/view.ts'

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
  const isAsked = useAskedStats() !== null
  const view = useView()
  const { opened, shown } = useAskedDialog(isAsked, codes, { view }, closeStats)
  const isReport = useAskedForReport()
  const [isSharing, sharing] = useDisclosure()
  const head = useRef<HTMLDivElement>(null)
  const scansFile = useScansFile()
  const onPhone = useOnPhone()
  const name = codes?.find(({ id }) => id === shown?.code)?.name
  return (
    <>
      <Modal.Root
        opened={opened}
        onClose={() => void closeStats()}
        closeOnEscape={!isSharing && !isReport}
        onExitTransitionEnd={onClosed}
        fullScreen={onPhone}
        zIndex={ABOVE_DIALOGS}
        transitionProps={{ transition: 'slide-left', duration: 160 }}
        classNames={{
          inner: styles.inner,
          content: styles.content,
          header: styles.header,
          body: styles.body,
        }}
      >
        <Modal.Overlay />
        <Modal.Content>
          <Modal.Header ref={head}>
            <Modal.Title title={name} flex={1} miw={0}>
              <Text inherit component="span" lineClamp={2}>
                {name === undefined ? (
                  'All QR codes: analytics'
                ) : (
                  <>
                    <bdi>{name}</bdi>: analytics
                  </>
                )}
              </Text>
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
                  m="10px 0 0 -8px"
                  leftSection={<ArrowLeft size={16} />}
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
