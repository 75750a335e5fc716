import type { TestCard } from '#contract/sandbox.ts'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { amountText } from './amounts.ts'
import { CallButton } from './call-button.tsx'
import { CardEntry } from './card-entry.tsx'
import { isDeclined, useFinish, usePortalCall } from './sandbox-calls.ts'

/** One press changes the plan; where the card on file is declined, another one can be given. */
export function ChangeConfirmation({ due, path }: { due: number; path: string }) {
  const finish = useFinish(path)
  const saveCard = usePortalCall(path)
  const text = due > 0 ? `Confirm and pay ${amountText(due)}` : 'Confirm the change'
  const confirm = () => finish.mutate({ action: 'confirm' })
  if (!isDeclined(finish.error) && !saveCard.isPending && !saveCard.error) {
    return (
      <>
        <FailureAlert message={finish.failure} />
        <CallButton fullWidth busy={finish.busy} busyText="Changing…" onClick={confirm}>
          {text}
        </CallButton>
      </>
    )
  }
  const payWith = (card: TestCard) =>
    saveCard.mutate({ action: 'card', body: { card } }, { onSuccess: confirm })
  return (
    <CardEntry
      submit={`Pay ${amountText(due)} with this card`}
      busyText="Changing…"
      busy={finish.busy || saveCard.isPending}
      error={saveCard.failure ?? finish.failure}
      onPay={payWith}
    />
  )
}
