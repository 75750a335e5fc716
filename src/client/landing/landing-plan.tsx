import { billingPeriods, type Plan } from '#contract/plans.ts'
import { monthlyPrice, yearlyCharge } from '../ui/formats.ts'
import { ButtonLink } from './button-link.tsx'
import styles from './pricing.module.css'

/** With the prices of each billing period; the section's toggle says which of them show. */
export function LandingPlan({ plan }: { plan: Plan }) {
  return (
    <li className={styles.plan} data-popular={plan.popular || undefined}>
      <div className={styles.head}>
        <h3>{plan.landingName}</h3>
        {plan.popular && <span className={styles.popular}>Popular</span>}
      </div>
      <p className={styles.quiet}>{plan.description}</p>
      <p className={styles.price}>
        {billingPeriods.map((billing) => (
          <b key={billing} data-billing={billing}>
            {monthlyPrice(plan, billing)}
          </b>
        ))}
        <span className={styles.quiet}>/month</span>
      </p>
      <p className={styles.yearly}>{yearlyCharge(plan, 'annual')}</p>
      <ul className={styles.features}>
        {plan.features.landing.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <ButtonLink quiet={!plan.popular} wide>
        {plan.tier === 'free' ? 'Start for Free' : `Choose ${plan.landingName}`}
      </ButtonLink>
    </li>
  )
}
