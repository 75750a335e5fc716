import { oneOf, text, z } from './zod.ts'

/** Every error that the API can answer, by its HTTP status: its code, on which clients switch, and its default text. */
export const errorTexts = {
  400: {
    bad_request: 'The request is malformed.',
    bad_signature: 'This event’s signature is wrong.',
    range_too_long: 'This range is too long for this filter. Choose a shorter one.',
  },
  401: {
    unauthorized: 'Unauthorized',
    invalid_credentials: 'Wrong email address or password.',
    wrong_code: 'That code is wrong. Try the newest one.',
    passkey_refused: 'We don’t know this passkey. Log in another way.',
    key_invalid: 'This API key is wrong, has expired, or was revoked.',
  },
  402: {
    card_declined: 'Your card was declined. Nothing was charged.',
  },
  403: {
    forbidden: 'This request came from another site, so we refused it.',
    wrong_password: 'Wrong password.',
    demo_read_only:
      'This is a demo, so you can’t change anything. Create an account to get your own codes.',
    password_needed: 'Enter the password of your Tessera account, so we know it’s yours.',
    sign_in_first:
      'In this browser, log in to the account that gets this address. Then open the link in your email again.',
    sign_in_again: 'It’s been a while. Please log in again to do this.',
    key_paused:
      'This API key is paused because Tessera was restored from a backup, or because the person who made it left. Its owner can turn it on again in the settings.',
    key_read_only: 'This API key can only read. Create one that can write for this call.',
    key_not_here: 'This call doesn’t take API keys. Log in with a browser instead.',
    sign_up_closed: 'Sign-up is closed.',
    people_over_plan:
      'This workspace has more people than its plan has room for, so you can only look at it. Ask its owner to upgrade.',
    role_forbids: 'Your role in this workspace doesn’t allow this. Ask its owner or an admin.',
    second_step_needed:
      'This workspace asks all members for two-step verification. Turn it on in your settings.',
    plan_limit_reached: 'You’ve reached your plan’s limit. Delete a code or upgrade your plan.',
    custom_path_not_in_plan:
      'Available for Professional and Unlimited subscribers. Upgrade to Professional or Unlimited to use custom URLs.',
    rules_not_in_plan: 'Rules are part of the Professional and Unlimited plans.',
    artwork_not_in_plan:
      'Shapes, logos and frames are part of every paid plan. Upgrade to use them. Colors and both styles are free.',
    api_not_in_plan:
      'The API is part of the Unlimited plan. Your existing keys will work again with it.',
    revival_not_in_plan:
      'Free codes stop working after 14 days. Upgrade your plan and they’ll all work again.',
    figure_mails_not_in_plan:
      'Emailed reports come with every paid plan. Upgrade your plan to turn them on.',
    share_not_in_plan:
      'Sharing is part of every paid plan. Upgrade your plan to share these analytics.',
    webhooks_not_in_plan: 'Webhooks are part of the Unlimited plan. Upgrade your plan to use them.',
    domains_not_in_plan: 'Your own domain comes with the Professional and Unlimited plans.',
  },
  404: {
    domain_not_found: 'Domain not found',
    not_found: 'Not found',
    workspace_not_found: 'You’re not a member of this workspace.',
    code_not_found: 'QR code not found',
    checkout_not_found: 'This payment is no longer open. Choose a plan to start again.',
    share_not_found: 'This page isn’t shared right now. Ask the person who gave you the link.',
  },
  405: {
    method_not_allowed: 'This address doesn’t take this method.',
  },
  409: {
    passkeys_full: 'Your account has 20 passkeys, the most it can have. Remove one to add another.',
    second_factor_on:
      'Two-step verification is already on. Turn it off to set it up with another app.',
    second_factor_off: 'Two-step verification is off. Turn it on first.',
    second_factor_offer_over:
      'This key has expired. Cancel, and set up two-step verification again.',
    last_way_in: 'You have no other way to log in yet. Set a password or add a passkey first.',
    keys_full: 'There are 20 API keys already. Revoke one to create another.',
    apps_full: 'There are 20 connected apps already. Disconnect one to connect another.',
    logo_in_use: 'Some of your QR codes use this logo.',
    logos_full: 'You’ve reached the limit of 50 logos or 20 MB. Delete one that no code uses.',
    look_name_taken: 'You already have a design with this name. Choose another name.',
    looks_full: 'You’ve reached the limit of 50 designs. Delete one to save another.',
    tag_name_taken: 'You already have a tag with this name. Choose another name.',
    tags_full: 'You’ve reached the limit of 200 tags. Delete one to create another.',
    code_tags_full: 'A QR code can have up to 20 tags. Remove one first.',
    webhooks_full: 'There are 10 webhooks already. Remove one to add another.',
    domains_full: 'You’ve added all the domains of your plan. Remove one or upgrade.',
    domain_exists: 'You’ve already added this domain.',
    domain_not_proven: 'Add the TXT record first, so we know it’s yours.',
    import_has_problems: 'Some rows have errors. Fix them, or import the other rows without them.',
    import_not_ready: 'This import’s QR codes are being created, or have been already.',
    webhook_off: 'This webhook is off. Turn it on first.',
    shares_full: 'This QR code has 10 share links already. Stop one to create another.',
    workspace_full:
      'This workspace’s plan has no room for another person. Professional has room for 3, Unlimited for 25.',
    member_exists: 'This person is already a member.',
    owner_stays: 'The owner can’t leave. Hand the workspace over to another member first.',
    owns_workspaces: 'Hand over or delete the workspaces you own with other people first.',
    own_workspace_stays:
      'This is your own workspace, which goes with your account. Delete your account instead.',
    workspaces_full: 'You’re in 100 workspaces, the most you can be in. Leave or delete one first.',
    account_exists: 'An account with this email address already exists. Log in instead.',
    custom_path_taken: 'This custom URL is already taken. Please choose another one.',
    external_id_taken: 'You already have a QR code with this externalId. It may be in the trash.',
    former_paths_full:
      'This QR code already has 20 earlier custom URLs, and they all keep working. Use one of those, or create a new QR code.',
    other_account:
      'This page belongs to a different account than the one logged in now. Reload it.',
    account_leaving:
      'Your account is scheduled for deletion. Choose “Restore account” in your settings first.',
    workspace_leaving:
      'This workspace is scheduled for deletion. Its owner has to restore it first.',
    already_on_plan: 'You’re already on this plan.',
    change_planned: 'You’ve already chosen this plan. It begins when your paid period ends.',
    no_subscription: 'You don’t have a subscription to change.',
    payment_under_way: 'Your payment is being processed. Please reload the page in a moment.',
    checkout_replaced:
      'Another payment was started on this account. Please choose your plan again.',
    payment_made: 'This payment has been made already.',
    payment_refused:
      'Our payment service can’t do this for your account. Nothing was charged. Please contact support.',
  },
  410: {
    link_over: 'This link has expired or was already used. Ask for a new one.',
  },
  412: {
    changed_elsewhere: 'This QR code was changed somewhere else. Your changes weren’t saved.',
  },
  413: {
    body_too_large: 'This request is too large.',
  },
  415: {
    unsupported_media_type: 'Send JSON (Content-Type: application/json).',
  },
  422: {
    picture_unreadable: 'We can’t read this picture. Use a PNG, JPG, or WebP file.',
    import_unreadable: 'We can’t read this file. Save it as CSV and upload it again.',
    promotion_refused: 'This promotion code isn’t valid for this plan, or it has expired.',
    address_refused:
      'We can’t find this address. Please check the postal code, state, and country.',
    invalid_input: 'Invalid input',
    idempotency_key_reused:
      'You’ve used this Idempotency-Key for another call in the last 24 hours. Use a new key for each new call.',
  },
  429: {
    rate_limited: 'Too many requests. Please wait a moment and try again.',
    daily_limit_reached: 'That’s all the QR codes and custom URLs you can create in a day.',
  },
  500: {
    internal: 'Something went wrong on our side. Nothing was changed. Please try again.',
  },
  503: {
    no_mail_server: 'This site can’t send email yet. Please contact support.',
    provider_unavailable:
      'The login service isn’t answering right now. Please try again in a moment.',
    unavailable: 'We’re having trouble right now. Please try again in a moment.',
    busy: 'Tessera is very busy right now. Please try again in a moment.',
    payments_unavailable:
      'Our payment service isn’t responding. Nothing was charged. Please try again in a moment.',
    billing_off: 'Plans can’t be bought on this site.',
  },
} as const satisfies Record<number, Record<string, string>>

type Texts = typeof errorTexts
export type ErrorCode = { [Status in keyof Texts]: keyof Texts[Status] }[keyof Texts]

/** The status and the default text of each code */
export const errorTable = Object.fromEntries(
  Object.entries(errorTexts).flatMap(([status, texts]) =>
    Object.entries(texts).map(([code, message]) => [code, { status: Number(status), message }]),
  ),
) as Record<ErrorCode, { status: number; message: string }>

const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]

/** The shape of every error body. `fields` says what is wrong with each input, by its name. */
export const errorBody = z.object({
  message: text('For people.'),
  code: oneOf(errorCodes, 'For programs. It stays the same when the message changes.'),
  fields: z
    .record(z.string(), z.string())
    .optional()
    .describe('What’s wrong with each input, by its path, such as `rows.3.url`.'),
})

export type ErrorBody = z.infer<typeof errorBody>
