import type { errorTexts } from '#contract/errors.ts'

/** Stands where an email would be promised. The server's own words, without the schemas beside them. */
export const NO_MAIL: (typeof errorTexts)[503]['no_mail_server'] =
  'This site can’t send email yet. Please contact support.'

/** The same where the operator has named no contact. */
export const NO_MAIL_NOR_CONTACT =
  'This site can’t send email yet. Please ask the person who runs it.'
