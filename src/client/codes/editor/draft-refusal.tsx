import { Alert, Button, Stack } from '@mantine/core'
import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError, serverMessageOf } from '../../api.ts'
import { BAD_TEXT } from '../../ui/theme.ts'
import type { UnsavedChanges } from './unsaved-changes.ts'

type Props = { error: Error | null; unsaved: UnsavedChanges }

/** The toast disappears after five seconds. This alert stays and says why there is no draft. */
export function DraftRefusal({ error, unsaved }: Props) {
  if (!error) return null
  const atLimit = error instanceof ApiError && error.code === 'plan_limit_reached'
  return (
    <Alert
      color={BAD_TEXT}
      variant="outline"
      mb="md"
      title={atLimit && 'No room for another QR code'}
    >
      <Stack gap="sm" align="flex-start">
        {serverMessageOf(error) ?? 'Failed to create QR code'}
        {atLimit && <PlansLink unsaved={unsaved} />}
      </Stack>
    </Alert>
  )
}

const PLANS = '/subscription'

/** The link takes the focus, unless somebody is typing already. */
function PlansLink({ unsaved }: { unsaved: UnsavedChanges }) {
  const [, navigate] = useLocation()
  const link = useRef<HTMLAnchorElement>(null)
  const focusUnlessTyping = useEffectEvent(() => {
    if (!unsaved.areThere()) link.current?.focus()
  })
  useEffect(() => {
    focusUnlessTyping()
  }, [])
  return (
    <Button
      ref={link}
      component={Link}
      href={PLANS}
      size="sm"
      data-autofocus
      onClick={(event: MouseEvent) => {
        event.preventDefault()
        // The page replaces the form in the history: one press of Back leads to the list.
        unsaved.leave(() => navigate(PLANS, { replace: true }))
      }}
    >
      See the plans
    </Button>
  )
}
