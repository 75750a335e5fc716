import { useWindowEvent } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  BillingAddress,
  ChangePreview,
  CheckoutRequest,
  Payment,
  Subscription,
} from '#contract/billing/billing.ts'
import { plans } from '#contract/billing/plans.ts'
import type { TestCard } from '#contract/billing/sandbox.ts'
import { request, requestJson } from '../api.ts'
import { formatDay } from '../formats.ts'
import { refreshAfterPlanChange } from '../query-client.ts'
import { reportFailure } from '../ui/messages/failure.ts'
import { toast } from '../ui/messages/toast.tsx'
import { keepWorkspace } from '../workspace.ts'
import { comingEnd } from './plans/usage.ts'

/** A call about a payment. */
const paymentPath = (id: string, call = 'payment') =>
  `/api/checkout/${encodeURIComponent(id)}/${call}`

/** A payment to be made here. It is read again each time, because it may be over. */
export function usePayment(id: string) {
  return useQuery<Payment>({ queryKey: [paymentPath(id)], gcTime: 0 })
}

/** After this time a change is offered without its cost, which the next page says. */
const PREVIEW_LIMIT_MS = 8_000

/** The cost of a change at once. It is read again each time, because it falls as time passes. */
export function useChangePreview(
  { tier, billing }: CheckoutRequest,
  options: { enabled: boolean },
) {
  const path = `/api/user/subscription/preview?tier=${tier}&billing=${billing}`
  const queryFn = async (): Promise<ChangePreview | null> =>
    (await request('GET', path, undefined, {}, AbortSignal.timeout(PREVIEW_LIMIT_MS))).json()
  return useQuery({ queryKey: [path], queryFn, gcTime: 0, ...options })
}

const checkoutUrlOf = (choice: CheckoutRequest) =>
  checkoutUrlAt('/api/create-checkout-session', choice)

async function checkoutUrlAt(path: string, body: object): Promise<string> {
  const session = await requestJson<{ checkoutUrl?: string }>('POST', path, body)
  if (!session.checkoutUrl) throw new Error('No checkout URL received')
  return session.checkoutUrl
}

/** Starts a payment: the browser goes to the checkout page, and the choice is busy until then. */
export const useCheckout = () =>
  useExternalRedirect(checkoutUrlOf, 'Failed to create checkout session')

/** Saves the address of a payment that waits for it; then the page loads with the payment's form. */
export const useSaveAddress = (id: string) =>
  useExternalRedirect(
    (address: BillingAddress) => checkoutUrlAt(paymentPath(id, 'address'), address),
    'Failed to save your address',
  )

/**
 * Applies a promotion code to an open payment; then the page loads with the new amount. A code that is refused
 * can leave another payment in its place.
 * @param isShown shows a failure at its field; returns whether it did
 */
export function usePromotion(id: string, isShown: (error: Error) => boolean) {
  const client = useQueryClient()
  return useExternalRedirect(
    (code: string) => checkoutUrlAt(paymentPath(id, 'promotion'), { code }),
    'Failed to apply the promotion code',
    (error) => {
      void client.invalidateQueries({ queryKey: [paymentPath(id)] })
      return isShown(error)
    },
  )
}

async function portalUrlOf(): Promise<string> {
  const path = '/api/user/billing-portal'
  return (await requestJson<{ portalUrl: string }>('POST', path)).portalUrl
}

/** Opens the provider's page for cards and invoices. */
export const usePortal = () =>
  useExternalRedirect<void>(portalUrlOf, 'Failed to open the billing page')

type Renewal = 'cancel' | 'resume' | 'keep'

/** Cancels the plan at the end of its paid period, resumes it, or calls off the change that is planned. */
export function useRenewal() {
  return useMutation({
    mutationFn: (action: Renewal) =>
      requestJson<Subscription>('POST', `/api/user/subscription/${action}`),
    onSuccess: (subscription, action) => {
      toast.success(doneText(action, subscription))
      return refreshAfterPlanChange()
    },
    onError: (error, action) => reportFailure(error, `Failed to ${action} your plan`),
  })
}

function doneText(action: Renewal, subscription: Subscription): string {
  if (action === 'keep') return `You keep ${plans[subscription.tier].name}.`
  const end = comingEnd(subscription, new Date())
  if (action === 'cancel')
    return end ? `Your plan ends on ${formatDay(end)}.` : 'Your plan won’t renew.'
  return end ? `Your plan continues and renews on ${formatDay(end)}.` : 'Your plan continues.'
}

export function payByTestCard(id: string, card: TestCard): Promise<unknown> {
  return requestJson('POST', paymentPath(id, 'page'), { action: 'pay', card })
}

/**
 * Asks the server for an address of the payment provider and goes there; busy until the browser has
 * left.
 * @param failure what to say if neither the server nor our own error has a message
 */
function useExternalRedirect<Choice = void>(
  addressOf: (choice: Choice) => Promise<string>,
  failure: string,
  isShown: (error: Error) => boolean = () => false,
) {
  const redirect = useMutation({
    mutationFn: addressOf,
    onSuccess: (url) => window.location.assign(keepWorkspace(url)),
    onError: (error) => isShown(error) || reportFailure(error, messageOf(error) ?? failure),
  })
  // After Back, browsers show this page as it was left: busy.
  useWindowEvent('pageshow', ({ persisted }) => persisted && redirect.reset())
  const busy = redirect.isPending || redirect.isSuccess
  return { go: redirect.mutate, busy, busyWith: busy ? redirect.variables : undefined }
}

/** The message of an error of our own; that of a failed call is its status and body. */
function messageOf(error: Error): string | undefined {
  return error.name === 'Error' && error.message !== '' ? error.message : undefined
}
