import type { errorTable } from '#contract/errors.ts'

/** Stands where a mail would be promised. The server's own words, without the schemas beside them. */
export const NO_MAIL_SERVER: (typeof errorTable)['no_mail_server']['message'] =
  'No mail server is configured; ask your operator'

export const WHERE_IT_IS =
  'They find the mail with your link in the folder “outbox” of the server’s data.'
