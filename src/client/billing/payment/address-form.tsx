import { Stack } from '@mantine/core'
import { AddressElement, useElements } from '@stripe/react-stripe-js'
import type { StripeAddressElementOptions } from '@stripe/stripe-js'
import { Quiet } from '../../ui/quiet.tsx'
import { useSaveAddress } from '../calls.ts'
import { ElementForm, StripeFields } from './stripe-form.tsx'

type Props = { id: string; publishableKey: string }

/** Stripe's form for the billing address, which comes before the payment: tax depends on it. */
export function AddressForm({ id, publishableKey }: Props) {
  return (
    <StripeFields
      what="address form"
      publishableKey={publishableKey}
      options={{ mode: 'setup', currency: 'usd' }}
    >
      <Stack>
        <AddressFields id={id} />
        <Quiet>
          Need a tax ID on your invoices? You can add it under “Manage billing” in your profile.
        </Quiet>
      </Stack>
    </StripeFields>
  )
}

/** Stripe's autocomplete would load Google's maps into our page. */
const OPTIONS: StripeAddressElementOptions = {
  mode: 'billing',
  autocomplete: { mode: 'disabled' },
}

function AddressFields({ id }: { id: string }) {
  const elements = useElements()
  const { go: save, busy } = useSaveAddress(id)
  const submit = async () => {
    // The element marks fields that are missing.
    const { complete, value } = (await elements?.getElement(AddressElement)?.getValue()) ?? {}
    if (complete && value) save({ name: value.name, address: value.address })
  }
  return (
    <ElementForm
      what="address form"
      submit="Continue to payment"
      busyText="Saving..."
      busy={busy}
      element={(events) => <AddressElement options={OPTIONS} {...events} />}
      onSubmit={submit}
    />
  )
}
