import type { SectionProps } from '../sections.ts'
import { EmailForm } from './email-form.tsx'
import { NameForm } from './name-form.tsx'
import { PictureForm } from './picture-form.tsx'
import { ZoneForm } from './zone-form.tsx'

/** Who somebody is. */
export function YouSection({ user, account, config }: SectionProps) {
  return (
    <>
      <PictureForm user={user} pictureUrl={account.pictureUrl} />
      <NameForm account={account} />
      <EmailForm account={account} mail={config.mail} />
      <ZoneForm timeZone={account.timeZone} />
    </>
  )
}
