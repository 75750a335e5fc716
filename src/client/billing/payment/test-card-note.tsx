import styles from '../billing-note.module.css'
import { TEST_NUMBERS } from './test-card.ts'

/** What everybody has to know before they type a number: this is not a till. */
export function TestCardNote() {
  return (
    <div className={styles.note} role="note" aria-label="Test payment">
      <p>
        <b>This is a test.</b> No real card, please: nothing is charged and nothing is stored.
      </p>
      <ul>
        <li>
          <b>{TEST_NUMBERS.pays}</b> pays
        </li>
        <li>
          <b>{TEST_NUMBERS.declined}</b> is declined
        </li>
        <li>
          <b>{TEST_NUMBERS.fails_later}</b> pays once and fails at the renewal
        </li>
      </ul>
    </div>
  )
}
