import { z } from './zod.ts'

/**
 * Every error that the API can answer: its HTTP status and its default text. Clients switch on the
 * code, people read the message.
 */
export const errorTable = {
  bad_request: { status: 400, message: 'The request is malformed.' },
  unauthorized: { status: 401, message: 'Unauthorized' },
  invalid_credentials: {
    status: 401,
    message: 'Wrong email address or password.',
  },
  forbidden: { status: 403, message: 'This request came from another site, so we refused it.' },
  wrong_code: { status: 401, message: 'That code is wrong. Try the newest one.' },
  wrong_password: { status: 403, message: 'Wrong password.' },
  demo_read_only: {
    status: 403,
    message:
      'This is a demo, so you can’t change anything. Create an account to get your own codes.',
  },
  password_needed: {
    status: 403,
    message: 'Enter the password of your Tessera account, so we know it’s yours.',
  },
  sign_in_first: {
    status: 403,
    message:
      'In this browser, log in to the account that gets this address. Then open the link in your email again.',
  },
  sign_in_again: {
    status: 403,
    message: 'It’s been a while. Please log in again to do this.',
  },
  link_over: {
    status: 410,
    message: 'This link has expired or was already used. Ask for a new one.',
  },
  no_mail_server: {
    status: 503,
    message: 'This site can’t send email yet. Please contact support.',
  },
  provider_unavailable: {
    status: 503,
    message: 'The login service isn’t answering right now. Please try again in a moment.',
  },
  picture_unreadable: {
    status: 422,
    message: 'We can’t read this picture. Use a PNG, JPG, or WebP file.',
  },
  passkey_refused: {
    status: 401,
    message: 'We don’t know this passkey. Log in another way.',
  },
  passkeys_full: {
    status: 409,
    message: 'Your account has 20 passkeys, the most it can have. Remove one to add another.',
  },
  second_factor_on: {
    status: 409,
    message: 'Two-step verification is already on. Turn it off to set it up with another app.',
  },
  second_factor_off: { status: 409, message: 'Two-step verification is off. Turn it on first.' },
  second_factor_offer_over: {
    status: 409,
    message: 'This key has expired. Cancel, and set up two-step verification again.',
  },
  last_way_in: {
    status: 409,
    message: 'You have no other way to log in yet. Set a password or add a passkey first.',
  },
  key_invalid: {
    status: 401,
    message: 'This API key is wrong, has expired, or was revoked.',
  },
  key_paused: {
    status: 403,
    message:
      'This API key is paused because Tessera was restored from a backup. Its owner can turn it on again in the settings.',
  },
  key_read_only: {
    status: 403,
    message: 'This API key can only read. Create one that can write for this call.',
  },
  key_not_here: {
    status: 403,
    message: 'This call doesn’t take API keys. Log in with a browser instead.',
  },
  keys_full: {
    status: 409,
    message: 'Your account has 20 API keys. Revoke one to create another.',
  },
  apps_full: {
    status: 409,
    message: 'Your account has 20 connected apps. Disconnect one to connect another.',
  },
  sign_up_closed: { status: 403, message: 'Sign-up is closed.' },
  bad_signature: { status: 400, message: 'This event’s signature is wrong.' },
  card_declined: { status: 402, message: 'Your card was declined. Nothing was charged.' },
  plan_limit_reached: {
    status: 403,
    message: 'You’ve reached your plan’s limit. Delete a code or upgrade your plan.',
  },
  custom_path_not_in_plan: {
    status: 403,
    message:
      'Available for Professional and Unlimited subscribers. Upgrade to Professional or Unlimited to use custom URLs.',
  },
  logo_in_use: { status: 409, message: 'Some of your QR codes use this logo.' },
  logos_full: {
    status: 409,
    message: 'You’ve reached the limit of 50 logos or 20 MB. Delete one that no code uses.',
  },
  look_name_taken: {
    status: 409,
    message: 'You already have a design with this name. Choose another name.',
  },
  looks_full: {
    status: 409,
    message: 'You’ve reached the limit of 50 designs. Delete one to save another.',
  },
  tag_name_taken: {
    status: 409,
    message: 'You already have a tag with this name. Choose another name.',
  },
  tags_full: {
    status: 409,
    message: 'You’ve reached the limit of 200 tags. Delete one to create another.',
  },
  code_tags_full: {
    status: 409,
    message: 'A QR code can have up to 20 tags. Remove one first.',
  },
  artwork_not_in_plan: {
    status: 403,
    message:
      'Shapes, logos and frames are part of every paid plan. Upgrade to use them. Colors and both styles are free.',
  },
  api_not_in_plan: {
    status: 403,
    message: 'The API is part of the Unlimited plan. Your existing keys will work again with it.',
  },
  revival_not_in_plan: {
    status: 403,
    message: 'Free codes stop working after 14 days. Upgrade your plan and they’ll all work again.',
  },
  figure_mails_not_in_plan: {
    status: 403,
    message: 'Emailed reports come with every paid plan. Upgrade your plan to turn them on.',
  },
  share_not_in_plan: {
    status: 403,
    message: 'Sharing is part of every paid plan. Upgrade your plan to share these analytics.',
  },
  webhooks_not_in_plan: {
    status: 403,
    message: 'Webhooks are part of the Unlimited plan. Upgrade your plan to use them.',
  },
  webhooks_full: {
    status: 409,
    message: 'Your account already has 10 webhooks. Remove one to add another.',
  },
  domains_not_in_plan: {
    status: 403,
    message: 'Your own domain comes with the Professional and Unlimited plans.',
  },
  domains_full: {
    status: 409,
    message: 'You’ve added all the domains of your plan. Remove one or upgrade.',
  },
  domain_exists: { status: 409, message: 'You’ve already added this domain.' },
  domain_not_proven: { status: 409, message: 'Add the TXT record first, so we know it’s yours.' },
  domain_not_found: { status: 404, message: 'Domain not found' },
  import_unreadable: {
    status: 422,
    message: 'We can’t read this file. Save it as CSV and upload it again.',
  },
  import_has_problems: {
    status: 409,
    message: 'Some rows have errors. Fix them, or import the other rows without them.',
  },
  import_not_ready: {
    status: 409,
    message: 'This import’s QR codes are being created, or have been already.',
  },
  webhook_off: {
    status: 409,
    message: 'This webhook is off. Turn it on first.',
  },
  not_found: { status: 404, message: 'Not found' },
  code_not_found: { status: 404, message: 'QR code not found' },
  checkout_not_found: {
    status: 404,
    message: 'This payment is no longer open. Choose a plan to start again.',
  },
  share_not_found: {
    status: 404,
    message: 'This page isn’t shared right now. Ask the person who gave you the link.',
  },
  shares_full: {
    status: 409,
    message: 'This QR code has 10 share links already. Stop one to create another.',
  },
  account_exists: {
    status: 409,
    message: 'An account with this email address already exists. Log in instead.',
  },
  custom_path_taken: {
    status: 409,
    message: 'This custom URL is already taken. Please choose another one.',
  },
  external_id_taken: {
    status: 409,
    message: 'You already have a QR code with this externalId. It may be in the trash.',
  },
  former_paths_full: {
    status: 409,
    message:
      'This QR code already has 20 earlier custom URLs, and they all keep working. Use one of those, or create a new QR code.',
  },
  other_account: {
    status: 409,
    message: 'This page belongs to a different account than the one logged in now. Reload it.',
  },
  account_leaving: {
    status: 409,
    message:
      'Your account is scheduled for deletion. Choose “Restore account” in your settings first, then choose a plan.',
  },
  already_on_plan: { status: 409, message: 'You’re already on this plan.' },
  change_planned: {
    status: 409,
    message: 'You’ve already chosen this plan. It begins when your paid period ends.',
  },
  no_subscription: { status: 409, message: 'You don’t have a subscription to change.' },
  payment_under_way: {
    status: 409,
    message: 'Your payment is being processed. Please reload the page in a moment.',
  },
  checkout_replaced: {
    status: 409,
    message: 'Another payment was started on this account. Please choose your plan again.',
  },
  payment_made: { status: 409, message: 'This payment has been made already.' },
  promotion_refused: {
    status: 422,
    message: 'This promotion code isn’t valid for this plan, or it has expired.',
  },
  address_refused: {
    status: 422,
    message: 'We can’t find this address. Please check the postal code, state, and country.',
  },
  payment_refused: {
    status: 409,
    message:
      'Our payment service can’t do this for your account. Nothing was charged. Please contact support.',
  },
  changed_elsewhere: {
    status: 412,
    message: 'This QR code was changed somewhere else. Your changes weren’t saved.',
  },
  method_not_allowed: { status: 405, message: 'This address doesn’t take this method.' },
  range_too_long: {
    status: 400,
    message: 'This range is too long for this filter. Choose a shorter one.',
  },
  body_too_large: { status: 413, message: 'This request is too large.' },
  unsupported_media_type: { status: 415, message: 'Send JSON (Content-Type: application/json).' },
  invalid_input: { status: 422, message: 'Invalid input' },
  rate_limited: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  daily_limit_reached: {
    status: 429,
    message: 'Your account has created all the QR codes and custom URLs it can in a day.',
  },
  idempotency_key_reused: {
    status: 422,
    message:
      'You’ve used this Idempotency-Key for another call in the last 24 hours. Use a new key for each new call.',
  },
  internal: {
    status: 500,
    message: 'Something went wrong on our side. Nothing was changed. Please try again.',
  },
  unavailable: {
    status: 503,
    message: 'We’re having trouble right now. Please try again in a moment.',
  },
  busy: {
    status: 503,
    message: 'Tessera is very busy right now. Please try again in a moment.',
  },
  payments_unavailable: {
    status: 503,
    message:
      'Our payment service isn’t responding. Nothing was charged. Please try again in a moment.',
  },
  billing_off: { status: 503, message: 'Plans can’t be bought on this site.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorTable

export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]

/** The shape of every error body. `fields` says what is wrong with each input, by its name. */
export const errorBody = z.object({
  message: z.string(),
  code: z.enum(errorCodes),
  fields: z.record(z.string(), z.string()).optional(),
})

export type ErrorBody = z.infer<typeof errorBody>
