import { type ReactNode, useEffect, useRef } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import { LateDialog, type LateProps } from '../ui/dialog/dialog.tsx'
import { Late } from '../ui/dialog/late.tsx'
import {
  closeCode,
  historyAddress,
  importAddress,
  NEW,
  NO_FILE,
  printAddress,
  readyAddress,
  replaceCode,
  rulesAddress,
} from './addresses.ts'
import type { CodeDialogState } from './editor/dialog-state.ts'
import { type OpenDialog, useGuardedAddress } from './editor/unsaved-changes.ts'
import { isListed } from './queries.ts'

/* Dialogs that the dashboard's address asks for; that of a series has its own file. What they hold is loaded late. */

const loadForm = () => import('./editor/code-form.tsx')
const loadCheck = () => import('./prints/print-check.tsx')
const loadHistory = () => import('./history/code-history.tsx')
const loadRules = () => import('./rules/rules-form.tsx')
const loadSteps = () => import('./import/import-steps.tsx')

type Codes = readonly QrCode[] | undefined

const useIsUnderPrint = () => printAddress.useAsked() !== null

type CodeProps = {
  dialog: CodeDialogState
  /** Drawn above the form of an existing code. */
  renderStats: (code: QrCode) => ReactNode
  /** Something else is open above the dialog. */
  isCovered: boolean
  /** Called with the element that had opened the dialog, for the focus. */
  onClosed: (opener: HTMLElement | null) => void
}

export function CodeDialog({ dialog, isCovered, onClosed, renderStats }: CodeProps) {
  const { unsaved, code, isEdit } = dialog
  const isUnderPrint = useIsUnderPrint()
  return (
    <LateDialog
      load={loadForm}
      height={480}
      opened={dialog.opened}
      onClose={() => unsaved.leave(dialog.close)}
      closeOnEscape={!isCovered && !isUnderPrint}
      onClosed={() => onClosed(dialog.opener())}
      title={isEdit ? 'Edit QR Code' : 'Create New QR Code'}
      what="The form"
      size={880}
      isLarge
    >
      {({ CodeForm }) => (
        <CodeForm
          key={dialog.count}
          dialog={dialog}
          stats={isEdit && code ? renderStats(code) : null}
        />
      )}
    </LateDialog>
  )
}

/**
 * The code that the address asks a dialog for. `shown` stays while the dialog fades, so that it does not
 * empty. `leave` is called if the list has no code of that id.
 */
function useListedCode(codes: Codes, asked: string | null, leave: (code: null) => void) {
  const code = codes?.find(({ id }) => id === asked)
  const isLoaded = codes !== undefined
  useEffect(() => {
    // The list in this render may be older than the one that a save has read.
    if (asked !== null && isLoaded && !isListed(asked)) leave(null)
  }, [asked, isLoaded, leave])
  const last = useRef(code)
  if (code) last.current = code
  return { opened: code !== undefined, shown: last.current }
}

type ClosedProps = {
  /** Called when the dialog has gone, for the focus. */
  onClosed: () => void
}

type ListedProps<Part> = Omit<LateProps<Part>, 'opened' | 'onClose' | 'title' | 'children'> & {
  codes: Codes
  /** The part of the address that asks for the dialog by a code's id */
  address: Omit<typeof printAddress, 'asked'>
  title: (code: QrCode) => string
  children: (part: Part, shown: OpenDialog & { code: QrCode }) => ReactNode
}

/** A dialog about one code of the list. */
function ListedDialog<Part extends object>(props: ListedProps<Part>) {
  const { codes, address, title, children, ...dialog } = props
  const { asked, ...guard } = useGuardedAddress(address)
  const { opened, shown: code } = useListedCode(codes, asked, address.replace)
  // Nothing is fetched before the dialog is asked for.
  if (!code) return null
  return (
    <LateDialog {...dialog} onClose={guard.leave} opened={opened} title={title(code)} isLarge>
      {(part) => children(part, { ...guard, code, opened })}
    </LateDialog>
  )
}

type CodesProps = ClosedProps & { codes: Codes }

/** 'Check a print', which /dashboard?print= asks for: also on a phone, for a code on another screen. */
export const PrintDialog = (props: CodesProps) => (
  <ListedDialog
    {...props}
    address={printAddress}
    load={loadCheck}
    height={240}
    title={() => 'Check a print'}
    what="The print check"
    size={640}
  >
    {({ PrintCheck }, { code }) => (
      <PrintCheck key={code.id} code={code} codes={props.codes ?? []} />
    )}
  </ListedDialog>
)

/** 'Rules and limits', which /dashboard?rules= asks for. */
export const RulesDialog = (props: CodesProps) => (
  <ListedDialog
    {...props}
    address={rulesAddress}
    load={loadRules}
    height={480}
    title={({ name }) => `Rules and limits of ${name}`}
    what="The rules"
    size={720}
  >
    {({ RulesForm }, shown) => <RulesForm key={shown.code.id} {...shown} />}
  </ListedDialog>
)

/** 'History', which /dashboard?history= asks for. */
export const HistoryDialog = (props: CodesProps) => (
  <ListedDialog
    {...props}
    address={historyAddress}
    load={loadHistory}
    height={240}
    title={({ name }) => `History of ${name}`}
    what="The history"
    size={640}
  >
    {({ CodeHistory }, { code }) => <CodeHistory key={code.id} code={code} />}
  </ListedDialog>
)

export type ReadyProps = { code: QrCode; onDone: () => void; onAnother: () => void }

type ReadyDialogProps<Part> = CodesProps & {
  /** Fetches what the dialog holds; it must keep its identity. */
  load: () => Promise<Part>
  children: (part: Part, about: ReadyProps) => ReactNode
}

/** The form has the same history entry. */
const readyOrForm = { ...readyAddress, replace: replaceCode, close: closeCode }

/** Follows the first save. The code is in the address, so that Back and a reload do no harm. */
export function ReadyDialog<Part extends object>(props: ReadyDialogProps<Part>) {
  const { children, ...dialog } = props
  return (
    <ListedDialog
      {...dialog}
      address={readyOrForm}
      height={480}
      closeOnEscape={!useIsUnderPrint()}
      title={() => 'Your code is ready'}
      what="Your code"
      size={720}
    >
      {(part, { code, close }) =>
        children(part, { code, onDone: close, onAnother: () => replaceCode(NEW) })
      }
    </ListedDialog>
  )
}

/** Codes out of a spreadsheet: what /dashboard?import asks for. */
export function ImportDialog({ onClosed }: ClosedProps) {
  const asked = importAddress.useAsked()
  const last = useRef(asked)
  // The dialog does not change while it fades.
  if (asked !== null) last.current = asked
  return (
    <>
      <LateDialog
        load={loadSteps}
        height={320}
        opened={asked !== null}
        onClose={importAddress.close}
        onClosed={onClosed}
        title="Import QR codes"
        what="The import"
        size={880}
        isLarge
      >
        {({ ImportSteps }) => <ImportSteps id={last.current ?? NO_FILE} />}
      </LateDialog>
      <Late load={loadSteps} isNeeded={asked !== null} failed={null}>
        {({ ImportWatch }) => last.current !== null && <ImportWatch asked={asked} />}
      </Late>
    </>
  )
}
