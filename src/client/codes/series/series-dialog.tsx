import { Center, Modal } from '@mantine/core'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { Tier } from '#contract/plans.ts'
import { forgetForm, SERIES } from '../../kept-form.ts'
import { formatCount } from '../../ui/formats.ts'
import { useLatePart } from '../../ui/late-part.ts'
import { confirm, useIsAsking } from '../../ui/messages/confirm-dialog.tsx'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useOnPhone } from '../../ui/on-phone.ts'
import { isGoingToSignIn } from '../../ui/sign-in-again.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { closeSeries, isAskedForSeries, openSeries, useAskedForSeries } from './series-address.ts'

const DISCARD = {
  title: 'Discard your changes?',
  text: 'What you typed has not been saved.',
  stay: 'Keep editing',
  go: 'Discard',
}

type Props = { userId: string; tier: Tier; places: number | null | undefined; hostUrl: string }

/** The dialog that /dashboard?series asks for. Its form is loaded when it is first needed. */
export function SeriesDialog({ userId, tier, places, hostUrl }: Props) {
  const asked = useAskedForSeries()
  const narrow = useOnPhone()
  const [opened, setOpened] = useState(asked)
  const [made, setMade] = useState<QrCode[] | null>(null)
  const dirty = useRef(false)
  const isAsking = useIsAsking()
  const part = useLatePart(loadSeries, opened)
  const onDirty = useCallback((is: boolean) => {
    dirty.current = is
  }, [])
  const close = () => {
    dirty.current = false
    setOpened(false)
    closeSeries()
  }
  const leaveBy = (way: () => void) => {
    const go = () => {
      dirty.current = false
      way()
    }
    if (dirty.current) confirm({ ...DISCARD, onGo: go })
    else go()
  }
  const leave = () => leaveBy(close)
  const follow = useEffectEvent(() => {
    if (asked && !opened) setOpened(true)
    // Somebody pressed Back.
    if (asked || !opened) return
    if (!dirty.current) return close()
    openSeries()
    if (!isAsking) leave()
  })
  // Whoever signed in does not come back to the series that this tab keeps.
  useEffect(() => {
    if (!isAskedForSeries()) forgetForm(SERIES)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the address
  useEffect(() => follow(), [asked])
  useEffect(() => {
    if (!opened) return
    const stay = (event: Event) => {
      if (dirty.current && !isGoingToSignIn()) event.preventDefault()
    }
    window.addEventListener('beforeunload', stay)
    return () => window.removeEventListener('beforeunload', stay)
  }, [opened])
  return (
    <Modal
      opened={opened}
      onClose={leave}
      closeOnEscape={!isAsking}
      onExitTransitionEnd={() => setMade(null)}
      title={made ? readyText(made.length) : 'Create a series'}
      size={made ? 920 : 880}
      fullScreen={narrow}
    >
      <PanelBoundary what="The form">
        {part === 'failed' && (
          <LoadFailure what="The form" error={null} onRetry={() => window.location.reload()} />
        )}
        {part === undefined && (
          <Center mih={480}>
            <Spinner label="Loading the form" />
          </Center>
        )}
        {part && part !== 'failed' && made && (
          <part.SeriesResult codes={made} hostUrl={hostUrl} onClose={close} />
        )}
        {part && part !== 'failed' && !made && (
          <part.SeriesForm
            {...{ userId, tier, places, hostUrl, onDirty }}
            onCancel={leave}
            onLeave={leaveBy}
            onMade={(codes) => {
              dirty.current = false
              setMade(codes)
            }}
          />
        )}
      </PanelBoundary>
    </Modal>
  )
}

const loadSeries = async () => {
  const [form, result] = await Promise.all([
    import('./series-form.tsx'),
    import('./series-result.tsx'),
  ])
  return { ...form, ...result }
}

const readyText = (count: number) =>
  count === 1 ? 'Your code is ready' : `Your ${formatCount(count)} codes are ready`
