import type { PublicConfig } from '#contract/accounts.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { toast } from '../ui/messages/toast.tsx'
import { useSendProof } from './queries.ts'

type Props = { email: string; mail: PublicConfig['mail'] }

/** Asks for the mail with the link that proves the address. */
export function ProofButton({ email, mail }: Props) {
  const send = useSendProof()
  const tell = () =>
    mail === 'smtp'
      ? toast.success(`We mailed a link to ${email}. Not there? Look in your spam folder.`)
      : toast.success('The link is made. Your operator has it for you.')
  return (
    <BusyButton
      variant="default"
      size="xs"
      busy={send.isPending}
      busyText="Sending..."
      onClick={() => send.mutate(email, { onSuccess: tell })}
    >
      {mail === 'smtp' ? 'Send the link again' : 'Make a new link'}
    </BusyButton>
  )
}
