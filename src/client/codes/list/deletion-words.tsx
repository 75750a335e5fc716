import { BIN_DAYS } from '#contract/code-values.ts'

export const DELETE_ONE = 'Delete this QR code?'

/** What the question before a delete says of one code, wherever it is asked. */
export function DeletionOf({ name }: { name: string | undefined }) {
  return (
    <>
      <b>{name}</b> stops working at once, on every print and every page that shows it. For{' '}
      {BIN_DAYS} days it can be restored from the bin.
    </>
  )
}
