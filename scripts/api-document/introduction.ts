import { plans } from '#contract/billing/plans.ts'
import { CURSOR_PAGE } from '#contract/codes/code-values.ts'
import { KEYS_MAX } from '#contract/integrations/api-keys.ts'
import { OVERLAP_HOURS, WEBHOOKS_MAX, webhookTypes } from '#contract/integrations/webhook-values.ts'
import { databaseLimits, memoryLimits } from '../../src/server/http/limits/limits.ts'
import { eventWords } from './events.ts'

const amount = (value: number) => value.toLocaleString('en-US')

const { landingName } = plans.unlimited

/** The introduction before the calls, in Markdown. @param origin the address of this server */
export const introduction = (origin: string) =>
  `
Create QR codes, change where they lead, draw them and read their scans from your own programs.
Everything is JSON over HTTP. [The document behind this page](${origin}/api/openapi.json) is OpenAPI
3.1, so you can generate a client for your language. A client for TypeScript comes with the server: its
operator makes the package with \`npm run clients\`.

## Get a key

API keys are part of the ${plans.unlimited.name} plan (“${landingName}” on our home page). Open
[Account settings → API keys](${origin}/profile?settings=keys), choose whether the key is read-only or
can also write, and copy it: it’s shown only once. A workspace has up to ${KEYS_MAX} keys. If its plan
ends, its keys are paused until it has the plan again.

A key works in one workspace, the one for which you created it. It can do what you can do there now: if
your role changes, so does what the key can do, and it ends when you leave. Calls need no \`?workspace=\`;
with the id of another workspace the response is 404 \`workspace_not_found\`.

Send the key with each call:

\`\`\`
Authorization: Bearer tsk_…
\`\`\`

Treat it like a password: keep it on your server, and out of web pages and apps.

## Your first call

\`\`\`bash
curl ${origin}/api/qr-codes \\
  -H "Authorization: Bearer $TESSERA_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Menu", "url": "https://example.com/menu"}'
\`\`\`

The response has the code’s \`id\`. Now draw it:

\`\`\`bash
curl -o menu.svg "${origin}/api/qr-codes/$ID/generate?format=svg" \\
  -H "Authorization: Bearer $TESSERA_KEY"
\`\`\`

Print it. It leads to the menu, and you can change that as often as you like:

\`\`\`bash
curl -X PATCH ${origin}/api/qr-codes/$ID \\
  -H "Authorization: Bearer $TESSERA_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/menu/summer"}'
\`\`\`

## Errors

Every error has a status and the same shape. Check \`code\` in your program: it stays the same.
\`message\` is for people. \`fields\` says what’s wrong with each input.

\`\`\`json
{
  "message": "Must be a valid URL",
  "code": "invalid_input",
  "fields": { "url": "Must be a valid URL" }
}
\`\`\`

| Status | Meaning |
|---|---|
| 400 | We couldn’t understand the request |
| 401 | No valid key |
| 403 | Not in your plan, not for a read-only key, or not for your role |
| 404 | Not there, or not yours |
| 409 | Taken, or full |
| 412 | Changed elsewhere since you read it |
| 422 | Something in it is wrong: see \`fields\` |
| 429 | Too many calls: wait \`Retry-After\` seconds |
| 503 | Not now: wait and try again |

After an error, nothing has changed.

A response names everything that is wrong at once. A field or a parameter that a call doesn’t know is
refused by its name, so a misspelled one never goes unnoticed. Send bodies as UTF-8. You can send a code back as you read it: fields that can only be read just have to be unchanged.

## Limits

A key can make ${amount(memoryLimits['key-calls'].max)} calls a minute. Each response says how many are
left: \`RateLimit: "calls";r=1199;t=60\` means 1,199 calls for the next 60 seconds. After too many calls
the response is 429, with the seconds to wait in \`Retry-After\`. All keys of a workspace share a queue
for heavy work, such as pictures and reports. A workspace can create up to
${amount(databaseLimits['paid-names'].max)} codes and custom URLs a day, and keep up to 10,000 codes.

## Web pages of other sites

Call the API from a server: all its visitors could use a key in a web page, so browsers get no CORS headers here. Only
what’s public can be read by any site: this document and the OAuth metadata under \`/.well-known/\`.
\`OPTIONS\` of an address says in \`Allow\` which methods it takes, and so does 405.

## Repeat a call safely

If the network fails, you don’t know whether a code was created. Send \`Idempotency-Key\` with your own
name for the call, such as an order number, and repeat it as often as you like: within 24 hours it runs
only once, with every call that creates something but takes no file, and the response is the same,
with \`Idempotency-Replayed: true\`. The same key with another body is refused (422 \`idempotency_key_reused\`).

## Use your own ids

Give a code your own \`externalId\`, such as a table’s number or an id of your database.
\`PUT /api/qr-codes/external/{externalId}\` creates that code or changes it, as often as you call it. To
find a code, ask for the list with \`externalId\`, or with \`link\`: a short link, or just its path.

## Don’t overwrite others

A code has a \`version\`, and the response has it as \`ETag: "3"\`. Send it back as \`If-Match: "3"\` when
you change the code, with PATCH, PUT or DELETE. If someone has changed it since, nothing is saved and
the response is 412 \`changed_elsewhere\`: read it again, then decide. PUT with \`If-None-Match: *\`
creates a code, and never changes one.

## Long lists

With \`limit\` (up to ${amount(CURSOR_PAGE.max)}) a list comes in pages. Send \`nextCursor\` of the response
as \`cursor\`, until it’s null. Codes that are created or deleted meanwhile don’t hide or repeat any.

## Changes of 26 November 2026

- Unknown fields and parameters are refused (422). They were left out before.
- \`artwork\` of a change is merged: what you leave out stays. It was replaced as a whole before.
- The limit of new codes a day is 429 \`daily_limit_reached\`. It was \`rate_limited\` before.
- \`from\` and \`to\` without \`range\` mean a custom range. They were left out before.
- A code’s \`link\` is its short link, and \`externalId\` your own id for it.

## Back up your links

One file has all your links, with redirects that nginx, Caddy, Netlify, and Cloudflare Pages can serve, so
what you printed leads on whatever happens. A read-only key can download it every night:

\`\`\`bash
curl --fail -o "tessera-$(date +%F).zip" ${origin}/api/account/export \\
  -H "Authorization: Bearer $TESSERA_KEY"
\`\`\`

## Spreadsheets

An import creates codes from a CSV file, up to 10,000 at once: upload it, see what’s wrong row by row,
fix those rows or leave them out, and start it. It also reads the exports of Bitly, Dub, Rebrandly,
Short.io, QR TIGER, Shlink, Kutt, and YOURLS. The calls are below, under Imports.

## Webhooks

A webhook calls your server when something happens. Add up to ${WEBHOOKS_MAX} of them in
[Account settings → Webhooks](${origin}/profile?settings=webhooks), or with the calls below, under
Webhooks. The document has the type of each event under \`webhooks\`.

${webhookTypes.map((type) => `- \`${type}\`: ${eventWords[type]}`).join('\n')}

\`\`\`json
{
  "type": "code.updated",
  "timestamp": "2026-03-05T09:12:00.000Z",
  "data": { "id": "3f6c1d0e-…", "version": 3, "name": "Menu", "url": "https://example.com/menu/summer" }
}
\`\`\`

Verify that an event comes from us before you use it. Events are signed according to
[Standard Webhooks](https://www.standardwebhooks.com), which has libraries for most languages:

\`\`\`js
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.TESSERA_WEBHOOK_SECRET)

// The body as it came, before it is parsed, and the headers webhook-id, -timestamp and -signature
const event = webhook.verify(body, request.headers)
\`\`\`

Respond with a status from 200 to 299 within 10 seconds, and do longer work afterwards. Failed
deliveries are retried ten times over three days, at growing intervals. An event may arrive twice, with
the same \`webhook-id\`. Events may arrive out of order: \`timestamp\` says when one happened, and a
code’s \`version\` grows with each change. If yours is newer, ignore the event. If too many events are
waiting for you, we drop the oldest \`code.scanned\` events, but never any others. After three days
without a successful delivery, the webhook is turned off and we email you; 410 turns it off at once.
After you create a new secret, the previous one still signs, too, for ${OVERLAP_HOURS} hours.

## Agents

AI agents that speak the [Model Context Protocol](https://modelcontextprotocol.io) have tools for your
codes at \`${origin}/api/mcp\`: to find, create, change and draw codes, one or many at once, to check whether
they scan, to read and share your analytics, and for your tags, designs and domains. An agent asks for access
by itself (OAuth 2.1, with the scopes \`read\` and \`write\`), and you allow it in your browser; or it uses one
of your keys. Like a key, it works in one workspace. A read-only agent only sees tools that read.

See [Integrations](${origin}/api/integrations) for more ways to connect Tessera.
`.trim()
