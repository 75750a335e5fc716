import { Section } from '../section.tsx'
import type { SectionProps } from '../sections.ts'
import { DeleteAccount } from './delete-account.tsx'
import { TakeLinks } from './take-links.tsx'

/** The way out. */
export function LeaveSection({ user, account }: SectionProps) {
  return (
    <>
      <Section
        title="Take my links with me"
        text="One zip with all of your QR codes: their pictures, their data, and the redirects for a server of your own (nginx, Caddy, Netlify, or a table)."
      >
        <TakeLinks />
      </Section>
      <DeleteAccount user={user} account={account} />
    </>
  )
}
