import { CURSOR_PAGE } from '#contract/code-values.ts'
import { KEYS_MAX } from '#contract/integrations/api-keys.ts'
import { OVERLAP_HOURS, WEBHOOKS_MAX, webhookTypes } from '#contract/integrations/webhook-values.ts'
import { plans } from '#contract/plans.ts'
import { databaseLimits, memoryLimits } from '../../src/server/http/limits/limits.ts'

const amount = (value: number) => value.toLocaleString('en-US')

/** The introduction before the calls, in Markdown. @param origin the address of this server */
export const introduction = (origin: string) =>
  `
Make QR codes, change where they lead, draw them and read their scans, from your own programs.
Everything here is JSON over HTTP. [The document of this page](${origin}/api/openapi.json) is OpenAPI
3.1: generators make a client of it for your language.

## Get a key

Keys are part of the ${plans.unlimited.name} plan. Open
[Account settings → API keys](${origin}/profile?settings=keys), choose whether the key may only read or
also write, and copy it: it is shown once. An account has up to ${KEYS_MAX} keys. If your plan ends,
your keys rest, and they work again with it.

Send the key with each call:

\`\`\`
Authorization: Bearer tsk_…
\`\`\`

Treat it like a password: keep it on your server, out of web pages and apps.

## Your first call

\`\`\`bash
curl ${origin}/api/qr-codes \\
  -H "Authorization: Bearer $TESSERA_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Menu", "url": "https://example.com/menu"}'
\`\`\`

The answer has the \`id\` of the code. Now draw it:

\`\`\`bash
curl -o menu.svg "${origin}/api/qr-codes/$ID/generate?format=svg" \\
  -H "Authorization: Bearer $TESSERA_KEY"
\`\`\`

Print it. It leads to the menu, and from now on you can change that as often as you like:

\`\`\`bash
curl -X PATCH ${origin}/api/qr-codes/$ID \\
  -H "Authorization: Bearer $TESSERA_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/menu/summer"}'
\`\`\`

## Errors

Each error has a status and the same shape. Let your program look at \`code\`, which stays the same;
\`message\` is for people. \`fields\` says what is wrong with each input.

\`\`\`json
{
  "message": "Must be a valid URL",
  "code": "invalid_input",
  "fields": { "url": "Must be a valid URL" }
}
\`\`\`

| Status | Meaning |
|---|---|
| 400 | The request could not be understood |
| 401 | No key that works |
| 403 | Not in your plan, or not for a key that only reads |
| 404 | Not there, or not yours |
| 409 | Taken, or full |
| 412 | Changed elsewhere since you read it |
| 422 | Something in it is wrong: see \`fields\` |
| 429 | Too many calls: wait for \`Retry-After\` seconds |
| 503 | Not now: wait and try again |

After any error nothing has changed.

## Limits

A key has ${amount(memoryLimits['key-calls'].max)} calls a minute. Each answer says how many are left:
\`RateLimit: "calls";r=1199;t=60\` means 1,199 calls for the next 60 seconds. After too many calls the
answer is 429, with the seconds to wait in \`Retry-After\`. All keys of an account take turns for what
costs much, such as pictures and reports. An account makes up to ${amount(databaseLimits['paid-names'].max)}
codes and custom paths a day, and keeps up to 10,000 codes.

## Repeat a call safely

If the network fails, you do not know whether a code was made. Send \`Idempotency-Key\` with a name of
your own for the call, such as the number of the order, and repeat it as often as you like: within 24
hours it is made once, and the answer is the same, with \`Idempotency-Replayed: true\`. The same key with
another body is refused (422 \`idempotency_key_reused\`).

## Do not overwrite others

A code has a \`version\`, and the answer has it as \`ETag: "3"\`. Send it back as \`If-Match: "3"\` when you
change the code. If somebody has changed it since, nothing is saved and the answer is 412
\`changed_elsewhere\`: read it again, and then decide.

## Long lists

With \`limit\` (up to ${amount(CURSOR_PAGE.max)}) a list comes in parts. Send \`nextCursor\` of the answer as
\`cursor\`, until it is null. What is made or deleted meanwhile hides nothing and repeats nothing.

## Spreadsheets

An import creates codes from a CSV table, up to 10,000 at once: send it, look at what is wrong row by
row, fix those rows or leave them out, and start it. It also reads the exports of Bitly, Dub, Rebrandly,
Short.io, QR TIGER, Shlink, Kutt and YOURLS. The calls are below, under Imports.

## Webhooks

A webhook calls your server when something happens. Add up to ${WEBHOOKS_MAX} of them in
[Account settings → Webhooks](${origin}/profile?settings=webhooks).

${webhookTypes.map((type) => `- \`${type}\`: ${eventWords[type]}`).join('\n')}

\`\`\`json
{
  "type": "code.updated",
  "timestamp": "2026-03-05T09:12:00.000Z",
  "data": { "id": "3f6c1d0e-…", "version": 3, "name": "Menu", "url": "https://example.com/menu/summer" }
}
\`\`\`

Check that an event comes from us before you use it. They are signed as
[Standard Webhooks](https://www.standardwebhooks.com) says, and its library checks them in most languages:

\`\`\`js
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.TESSERA_WEBHOOK_SECRET)

// The body as it came, before it is parsed, and the headers webhook-id, -timestamp and -signature
const event = webhook.verify(body, request.headers)
\`\`\`

Answer with a status from 200 to 299 within 10 seconds, and do longer work afterwards. Otherwise we try
again ten times, over three days, with longer and longer pauses. An event may come twice, with the same
\`webhook-id\`. Events may come in another order than they happened: \`timestamp\` says when one
happened, and the \`version\` of a code grows with each change. If yours is newer, leave the event out.
If too many events wait for you, the oldest of \`code.scanned\` are dropped, and never another one. After
three days without a good answer the webhook is switched off, and we mail you; 410 switches it off at
once. When you make a new secret, the one before signs, too, for ${OVERLAP_HOURS} hours.

## Agents

AI agents that speak the [Model Context Protocol](https://modelcontextprotocol.io) have tools for your
codes at \`${origin}/api/mcp\`, with the same keys: to list, make, change and draw codes, to check whether
they scan, and to read the figures. A key that may only read shows only tools that read.

More ways to connect Tessera are on the page [Integrations](${origin}/api/integrations).
`.trim()

const eventWords: Record<(typeof webhookTypes)[number], string> = {
  'code.created': 'a code was made, or came back from the bin. `data` is the code.',
  'code.updated': 'a code was changed. `data` is the code as it is now.',
  'code.deleted': 'a code was deleted. `data` is the code as it was.',
  'code.expired': 'a code of the free plan has ended. `data` is the code.',
  'code.scanned':
    'people scanned codes. At most one a second: `data` has `total`, `byCode` with the `version` of each, and up to 1,000 `scans`.',
  'subscription.updated':
    'your plan has changed. `data` has `tier`, `status` and `currentPeriodEnd`.',
}
