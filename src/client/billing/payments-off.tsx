import { Alert } from '@mantine/core'

/** Said before anybody chooses: a refusal after the click would be a riddle. */
export function PaymentsOff() {
  return (
    <Alert variant="outline" color="gray" title="Plans cannot be bought here">
      Payments are switched off on this server: you can compare the plans, but not choose one.
    </Alert>
  )
}
