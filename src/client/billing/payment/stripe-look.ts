import type { Appearance } from '@stripe/stripe-js'

type Scheme = 'light' | 'dark'

/** One of our colours as Stripe's frame can read it, which knows none of our variables. */
function colour(name: string, scheme: Scheme): string {
  const probe = document.createElement('span')
  probe.style.colorScheme = scheme
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Stripe's fields in the looks of ours. */
export function stripeLook(scheme: Scheme): Appearance {
  const of = (name: string) => colour(name, scheme)
  return {
    theme: scheme === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: of('--accent-text'),
      colorBackground: of('--panel'),
      colorText: of('--text'),
      colorTextSecondary: of('--quiet'),
      colorTextPlaceholder: of('--quiet'),
      colorDanger: of('--bad'),
      borderRadius: '8px',
      fontFamily: 'Figtree, system-ui, sans-serif',
      fontSizeBase: '16px',
    },
    rules: { '.Input': { border: `1px solid ${of('--edge')}`, boxShadow: 'none' } },
  }
}
