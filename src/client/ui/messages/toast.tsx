import { Box, Group, Notification, Portal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { PlainButton } from '../plain-button.tsx'
import { isTyping } from '../shortcut.ts'
import { createStore } from '../store.ts'

const TOAST_MS = 5000
const PLACE = { insetInline: 8, zIndex: 1000, transition: 'bottom 150ms' }

type Variant = 'normal' | 'destructive'
type Toast = { variant: Variant; title: string; message: string; undo?: () => void }

/** At most one toast is on the screen: a new one takes the place of the one that is there. */
const shown = createStore<(Toast & { id: number }) | null>(null)
let count = 0

const show = (toast: Toast) => shown.set({ ...toast, id: ++count })
const hide = () => shown.set(null)

export const toast = {
  success: (message: string, title = 'Success') => show({ variant: 'normal', title, message }),
  error: (message: string, title = 'Error') => show({ variant: 'destructive', title, message }),
  /** A success that can be taken back for as long as it shows, by its button or Ctrl+Z. */
  undoable: (message: string, undo: () => void) =>
    show({ variant: 'normal', title: 'Success', message, undo }),
}

export function Toasts() {
  const toast = shown.use()
  return (
    toast && (
      <Portal key={toast.id}>
        <ShownToast {...toast} />
      </Portal>
    )
  )
}

/** Stays for five seconds, and for as long as the pointer or the focus is on it. */
function ShownToast({ variant, title, message, undo }: Toast) {
  const box = useRef<HTMLDivElement>(null)
  const [isHeld, setHeld] = useState(false)
  useLayoutEffect(() => (box.current ? keepPlaced(box.current) : undefined), [])
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(hide, TOAST_MS)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    <Box ref={box} pos="fixed" maw={380} mx="auto" style={PLACE} data-toast>
      <Notification
        title={title}
        color={variant === 'destructive' ? 'var(--bad)' : 'var(--good)'}
        role={variant === 'destructive' ? 'alert' : 'status'}
        data-variant={variant}
        withBorder
        closeButtonProps={{ 'aria-label': 'Close' }}
        onClose={hide}
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <Group component="span" gap={12} justify="space-between" wrap="nowrap">
          {message}
          {undo && <Undo undo={undo} />}
        </Group>
      </Notification>
    </Box>
  )
}

/** From the window's edge and from a bar with buttons, in px */
const GAP = 16

/**
 * Keeps a toast at the bottom of the window, above a bar with buttons that stands there, also when a
 * dialog opens, grows, comes to rest or closes under it. Returns how to stop that.
 */
function keepPlaced(box: HTMLElement): () => void {
  const place = () => {
    box.style.bottom = `${window.innerHeight - floorFor(box) + GAP}px`
  }
  const sizes = new ResizeObserver(place)
  const parts = new MutationObserver(place)
  sizes.observe(document.body)
  parts.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('transitionend', place)
  place()
  return () => {
    sizes.disconnect()
    parts.disconnect()
    document.removeEventListener('transitionend', place)
  }
}

/** The top of the bar that the toast would cover, or else the bottom of the window. */
function floorFor(box: HTMLElement): number {
  const scope = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document
  const reach = window.innerHeight - box.offsetHeight - 2 * GAP
  const covered = [...scope.querySelectorAll('[data-bar]')]
    .map((bar) => bar.getBoundingClientRect())
    .filter(({ top, bottom }) => bottom > reach && top < window.innerHeight)
  return Math.min(window.innerHeight, ...covered.map(({ top }) => top))
}

function Undo({ undo }: { undo: () => void }) {
  const before = useRef<EventTarget>(null)
  const run = () => {
    // The button goes with the toast: the focus goes back to where the user was.
    if (before.current instanceof HTMLElement) before.current.focus()
    hide()
    undo()
  }
  useWindowEvent('keydown', (event) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey)
    if (!isUndo || event.shiftKey || event.altKey || isTyping(event)) return
    event.preventDefault()
    run()
  })
  return (
    <PlainButton
      size="compact-md"
      aria-keyshortcuts="Control+Z Meta+Z"
      onFocus={(event: FocusEvent) => {
        before.current = event.relatedTarget
      }}
      onBlur={() => {
        before.current = null
      }}
      onClick={run}
    >
      Undo
    </PlainButton>
  )
}
