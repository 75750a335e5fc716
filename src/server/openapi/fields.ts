import type { Call, OpenApi, Schema } from './open-api.ts'

/**
 * The meaning of a field or a parameter, by its name, for one word means one thing. Where it means
 * something else in one schema or call, the name of that stands before it.
 */
const words: Record<string, string> = {
  // Codes
  id: 'Never changes.',
  name: 'For you: nobody who scans the code sees it.',
  url: 'The page that the code leads to, with http:// or https://.',
  vanityUrl:
    'The custom path of the short link, in small letters; null for none. A former one keeps working.',
  style: 'How the modules look: sharp or rounded.',
  foregroundColor: 'Hex colour of the modules, such as #1e40af.',
  backgroundColor: 'Hex colour behind them, such as #f0f9ff.',
  ecc: 'Error correction, from L (7 %) over M and Q to H (30 %).',
  compact: 'Writes the link in capitals, which makes the code smaller.',
  artwork: 'Shapes, eyes, gradient, logo and frame; null for a plain code.',
  pictureVersion:
    'Changes with every change of the picture. An address with it can be kept for ever.',
  legibility: 'Whether scanners read the code; null until that is checked.',
  tags: 'Names of tags. Those that you do not have yet are made.',
  shortCode: 'The path of the short link that always works: /qr/{shortCode}.',
  isActive: 'False for a code that is paused: who scans it is told so.',
  expiresAt: 'When a code of the free plan ends; null for a code without an end.',
  createdAt: 'When it was made.',
  version: 'Counts the changes. `ETag` and `If-Match` have it in quotes.',
  deletedAt: 'When it was put into the bin.',
  purgedAt: 'When it leaves the bin for good, with its scans.',
  items: 'This part of the list.',
  nextCursor: 'Send it as `cursor` to get the next part; null after the last.',
  rows: 'One for each code to make.',
  look: 'How the codes look. Without it they have your style for new codes.',
  // Parameters of lists
  limit: 'How many to answer with. The answer has `nextCursor` then.',
  cursor: '`nextCursor` of the part before.',
  page: 'Which 25 codes, from 1. For programs `cursor` is better: nothing moves between the parts.',
  q: 'Words that the name, the destination or the path has.',
  status: 'Only codes with this status; `unscanned` are those that nobody has scanned for 30 days.',
  tag: 'Only codes with this tag, by its name.',
  sort: 'The order; with a - the other way round. Lists with a cursor cannot be sorted by scans.',
  'Idempotency-Key':
    'A name of your own for this call, 1 to 255 characters. The same call with the same key is made only once in 24 hours.',
  'If-Match': 'The `ETag` that you read. If the code has changed since, the answer is 412.',
  // Artwork
  modules: 'Shape of the modules; null as `style` says.',
  eyeFrame: 'Shape of the rings in three corners.',
  eyeBall: 'Shape of what is in the rings.',
  eyeFrameColor: 'Hex colour of the rings; null as the modules.',
  eyeBallColor: 'Hex colour of what is in them; null as the modules.',
  gradient: 'From the colour of the modules to another one.',
  'gradient.kind': 'Linear, or from the middle to the corners.',
  'gradient.to': 'Hex colour that it ends with.',
  angle: 'In degrees: 0 runs to the right, 90 down.',
  transparent: 'Leaves out the background.',
  margin: 'The empty margin around the code, in modules.',
  logo: 'A picture in the middle.',
  'logo.id': 'The id of a logo that you have sent.',
  'logo.size': 'Its place, in modules. Error correction sets a bound.',
  'logo.margin': 'Between the logo and its plate, in modules.',
  plate: 'What is behind the logo.',
  frame: 'A frame around the code with a text.',
  shape: 'The kind of frame.',
  text: 'What the frame says, such as “Scan me”.',
  'frame.size': 'How large the text is.',
  color: 'Hex colour of the frame.',
  textColor: 'Hex colour of its text.',
  // Pictures and print
  format: 'Of the picture.',
  fg: 'Another colour of the modules for this picture, such as 1e40af.',
  bg: 'Another colour behind them.',
  size: 'The edge in pixels.',
  mm: 'The edge in print in millimetres, margin included.',
  cmyk: 'For PDF and EPS: the four inks of a press.',
  t: 'Anything: another value gets around caches.',
  v: '`pictureVersion` of the code: with the right one the answer can be kept for ever.',
  ids: 'The ids of the codes, up to 1,000.',
  paper: 'A4 or US Letter.',
  columns: 'Labels beside each other.',
  'Labels.rows': 'Labels below each other.',
  sheet:
    'A sheet of Avery by its number. Without it and `sizes`, the paper is divided into equal parts.',
  sizes: 'A sheet as you measured it, in millimetres.',
  'sizes.columns': 'Labels beside each other.',
  'sizes.rows': 'Labels below each other.',
  pageWidth: 'Of the paper.',
  pageHeight: 'Of the paper.',
  labelWidth: 'Of a label; of a round one its diameter.',
  labelHeight: 'Of a label; of a round one its diameter.',
  marginLeft: 'From the edge of the paper to the first label.',
  marginTop: 'From the edge of the paper to the first label.',
  gapX: 'Between a label and the next one.',
  gapY: 'Between a label and the one below.',
  isRound: 'The labels are round.',
  cutLines: 'Draws lines to cut along.',
  first: 'The first free label of a sheet that you have begun, counted from 1, row by row.',
  caption: 'What is written with each code.',
  captions: 'Other words than the name, by the id of the code.',
  drawnNames: 'Names as pictures, by the id of the code, for letters that no font of ours has.',
  width: 'In pixels.',
  height: 'In pixels.',
  ink: 'One bit a pixel, in rows of whole bytes, deflated, as base64.',
  verdict: 'The result in a word.',
  reason: 'The result in a sentence.',
  contrast: 'Between the two colours, from 1 to 21.',
  inverted: 'The modules are lighter than what is behind them, which some scanners cannot read.',
  reads: 'Which decoder reads it, and how it was shown to it.',
  damageMargin: 'Which part of the code can be covered before it cannot be read, from 0 to 1.',
  found: 'What the photo shows.',
  path: 'The last part of the short link that was read.',
  trouble: 'Why the photo cannot be read.',
  proof: 'What is kept of the check.',
  checkedAt: 'When it was checked.',
  shown: 'The code of yours that the photo shows; null for none.',
  isInBin: 'It was deleted.',
  // Tags, styles, logos
  'NewTag.name': 'At most 40 characters, without a comma.',
  'Tag.name': 'Two tags never differ in capitals only.',
  'TagChange.name': 'At most 40 characters, without a comma.',
  colour: 'What the tag is coloured with.',
  codes: 'How many codes have it.',
  add: 'Ids of codes that get the tag.',
  remove: 'Ids of codes that lose it.',
  changed: 'How many codes are not as before.',
  'NewStyle.name': 'At most 60 characters.',
  'StyleChange.name': 'At most 60 characters.',
  'NewStyle.look': 'What is absent is as in a plain code.',
  'StyleChange.look': 'What is absent is as in a plain code.',
  isDefault: 'New codes begin with it. At most one of your styles has it.',
  'sendLogo.name': 'The name of the file.',
  reach: 'How far it is visible from its middle, in halves of its longer edge.',
  // Analytics
  qr: 'The id of a code. Without it all codes count.',
  'shareFigures.qr': 'The id of the code.',
  'listShares.qr': 'The id of the code.',
  range: 'Which days: the last ones, or `free` with `from` and `to`.',
  'Figures.range': 'What was counted.',
  from: 'The first day of a free range, such as 2026-03-01.',
  to: 'The last day of a free range.',
  'range.from': 'The first instant that counts.',
  'range.to': 'The instant at which it ends.',
  'ScansFile.from': 'The first instant that it has.',
  tz: 'A time zone such as Europe/Berlin. Days and months begin in it.',
  by: 'What a point of the line stands for.',
  kind: 'Scans by people, or all others.',
  facet: 'What the scans are told apart by.',
  country: 'Only scans from this country, such as DE.',
  region: 'Only scans from this region.',
  city: 'Only scans from this city.',
  device: 'Only scans with this kind of device.',
  os: 'Only scans with this operating system.',
  browser: 'Only scans with this browser.',
  app: 'Only scans in this app.',
  language: 'Only scans in this language.',
  referrer: 'Only scans from this site.',
  'place.country': 'Its English name; null where it is not known.',
  'place.city': 'Null where it is not known.',
  'topCountries.country': 'Its English name.',
  countryCode: 'ISO 3166-1 alpha-2.',
  'topDevices.device': 'Mobile, Tablet, Desktop and so on.',
  'scan.device': 'Mobile, Tablet, Desktop and so on.',
  'scans.device': 'Mobile, Tablet, Desktop and so on.',
  'scan.os': 'The operating system.',
  'scans.os': 'The operating system.',
  place: 'Where it was.',
  'Now.scans': 'The last 20, newest first.',
  'scans.code': 'The code that was scanned.',
  after: 'An instant such as 2026-03-05T09:50:00Z.',
  scans: 'How many.',
  visitors:
    'How many of them by visitors who had not scanned the code on that day; bots have none.',
  before: 'The period before it; null where nothing is kept of it.',
  snapped: 'True if it goes by UTC days, because single scans are kept no longer.',
  points: 'The line.',
  'points.at': 'The local beginning of the step.',
  rules: 'Versions of the rules that told people from bots.',
  value: 'What a filter asks for.',
  label: 'What people read.',
  unknown: 'Scans of which it is not known.',
  others: 'Scans of values that are not in the list.',
  'Heatmap.rows': 'Monday first, 24 hours each.',
  'Breakdown.rows': 'Most scans first.',
  'Classes.rows': 'Most scans first.',
  class: 'What the visits are taken for.',
  minutes: 'Scans of the last 30 minutes, oldest first; null where there were too many to look at.',
  isCut: 'It begins later than you asked for, because single scans are kept no longer.',
  totalQrCodes: 'Codes in the list, without drafts and the bin.',
  totalScans: 'Since the code was made.',
  scansThisMonth: 'Since the month began.',
  scansLastMonth: 'All of the month before.',
  lastScannedAt: 'The quarter of an hour of its last scan.',
  days: 'How long the link works.',
  note: 'For you: the page does not show it.',
  madeAt: 'When it was made.',
  endsAt: 'When it ends.',
  link: 'The address to give on; null where this server cannot say it any more.',
  lastOpenedAt: 'When somebody last opened it, to ten minutes.',
  isInPlan: 'False where the plan has no such links: then none works.',
  // Imports
  'sendFile.name': 'The name of the file.',
  'sendFile.format': 'Which service the file is from; `auto` goes by its columns.',
  only: 'Only rows with a problem, with a custom URL that is not available, or with any loss.',
  'ImportPublish.tags': 'All of the codes have them, besides those of their row.',
  otherPaths: 'Rows whose custom URL is not available get a short link only.',
  skipProblems: 'Rows with a problem are left out.',
  'ImportColumns.columns': 'What each column is read as, in their order; null for not at all.',
  import: 'The import that the row is in, with its counts.',
  encoding: 'What the letters of the file were read as.',
  'ImportRow.createdAt': 'When the code was created at the service that the file is from.',
  'changeImportRow.row': 'Its number in a spreadsheet.',
  'Import.name': 'The name of the file.',
  'ImportState.name': 'The name of the file.',
  'SentFile.name': 'The name of the file.',
  'Import.format': 'Which service the file is from.',
  'ImportState.format': 'Which service the file is from.',
  'SentFile.format': 'Which service the file is from.',
  'Import.columns': 'The columns of the file.',
  'ImportState.columns': 'The columns of the file.',
  'SentFile.columns': 'The columns of the file.',
  'Import.rows': 'How many the file has.',
  'ImportState.rows': 'How many the file has.',
  'SentFile.rows': 'How many the file has.',
  'columns.name': 'As in the file.',
  'columns.sample': 'Its text in the first row.',
  'columns.as': 'What it is read as; null for a column that is not read.',
  state:
    '`checked`: nothing is created yet. `publishing`: codes are being created. `published`: all are there.',
  problems: 'What is wrong.',
  'Import.problems': 'How many rows cannot become codes.',
  'ImportState.problems': 'How many rows cannot become codes.',
  'SentFile.problems': 'How many rows cannot become codes.',
  lostPaths: 'How many rows have a custom URL that is not available.',
  'Import.losses': 'How many rows lose something: a custom URL, a tag or a date.',
  'ImportState.losses': 'How many rows lose something: a custom URL, a tag or a date.',
  'SentFile.losses': 'How many rows lose something: a custom URL, a tag or a date.',
  losses: 'What else the code goes without, such as a tag that is too long.',
  done: 'How many codes are ready.',
  fault: 'Why the last try created nothing; null if there was none.',
  publishedAt: 'When its codes were made; null before.',
  room: 'How many codes the account has room for.',
  firstProblems: 'The first rows with a problem or a loss.',
  row: 'Its number in a spreadsheet.',
  field: 'Which one it is about.',
  lostPath: 'Why the custom URL is not available; null if it is.',
  codeId: 'The id of its code; null before there is one.',
  // Errors
  message: 'For people.',
  code: 'For programs. It stays the same when the message changes.',
  fields: 'What is wrong with each input, by its path, such as `rows.3.url`.',
}

const wordsOf = (name: string, context: string): string | undefined =>
  words[`${context}.${name}`] ?? words[name]

/** The document with what its fields mean. */
export function withFieldWords(document: OpenApi): OpenApi {
  for (const [name, schema] of Object.entries(document.components.schemas)) tell(schema, name)
  for (const call of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const name = call.operationId ?? ''
    for (const parameter of call.parameters ?? []) {
      const said = wordsOf(parameter.name, name)
      if (said !== undefined) parameter.description ??= said
    }
    for (const schema of schemasOf(call)) tell(schema, name)
  }
  return document
}

function schemasOf({ requestBody, responses }: Call): Schema[] {
  const bodies = [requestBody, ...Object.values(responses)]
  const media = bodies.flatMap((body) =>
    body && 'content' in body ? Object.values(body.content ?? {}) : [],
  )
  return media.map(({ schema }) => schema).filter((schema) => schema !== undefined)
}

/**
 * Says what the fields of a schema mean, where it does not say so itself.
 * @param context the schema, or the field, that this one is a part of
 */
export function tell(schema: Schema, context: string) {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const said = wordsOf(name, context)
    if (said !== undefined) field.description ??= said
    tell(field, name)
  }
  for (const [key, part] of Object.entries(schema)) {
    if (key === 'properties') continue
    for (const each of [part].flat()) {
      if (typeof each === 'object' && each !== null) tell(each as Schema, context)
    }
  }
}
