import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { askForMail } from './sign-in-calls.ts'
import {
  BackToSignIn,
  NO_MAIL,
  NO_MAIL_NOR_CONTACT,
  StepHead,
  StepNotice,
  type StepProps,
} from './step-parts.tsx'
import type { Mailed } from './steps.ts'
import { useSending } from './submission.ts'

/** For an address that may have no account: this page does not reveal which addresses have one. */
const IF_ANY = 'If there’s an account for this address, we’ve sent an email'

const SENT = 'We’ve sent an email with a link'

const texts: Record<Mailed['kind'], { sent: string; next: string }> = {
  'verify-email': {
    sent: SENT,
    next: 'Open the link to confirm that the address is yours. Then log in here.',
  },
  'reset-password': {
    sent: IF_ANY,
    next: 'Use its link to choose a new password. It works once, within an hour.',
  },
  'sign-in': {
    sent: IF_ANY,
    next: 'Open its link in this browser to log in. It works once, within 15 minutes.',
  },
}

/** Says where to look for a mail, and sends it again. */
export function MailStep({ config, mailed }: Pick<StepProps, 'config'> & { mailed: Mailed }) {
  const { sent, next } = texts[mailed.kind]
  // With an open sign-up, a link makes an account for a new address, so each address gets the mail.
  const isForAll = mailed.kind === 'sign-in' && config.signUp === 'open'
  const [isSent, setSent] = useState(false)
  const resend = useSending(async () => {
    setSent(false)
    await askForMail(mailed.kind, { email: mailed.email })
    setSent(true)
  })
  const { supportEmail } = config
  if (config.mail === 'outbox') {
    return (
      <Stack>
        <StepHead title={supportEmail ? 'Contact support' : 'No email from this site yet'} hasFocus>
          {supportEmail ? NO_MAIL : NO_MAIL_NOR_CONTACT}
        </StepHead>
        {supportEmail && <Anchor href={`mailto:${supportEmail}`}>{supportEmail}</Anchor>}
        <BackToSignIn />
      </Stack>
    )
  }
  return (
    <Stack>
      <StepHead title="Check your email" hasFocus>
        {isForAll ? SENT : sent}
        {mailed.email ? ': ' : '.'}
        <b>{mailed.email}</b>
      </StepHead>
      <Text>{next}</Text>
      {isSent && <StepNotice>We’ve sent it again.</StepNotice>}
      <FailureAlert message={resend.failure} />
      <Quiet>
        Nothing there after a few minutes? Check your spam folder and the address above.
      </Quiet>
      {mailed.email && (
        <BusyButton
          variant="default"
          busy={resend.busy && !isSent}
          busyText="Sending..."
          onClick={resend.send}
          fullWidth
        >
          Send again
        </BusyButton>
      )}
      <BackToSignIn />
    </Stack>
  )
}
