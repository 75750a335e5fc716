/*
 * Bad values for the parameters of a picture, percent-encoded as in a query, so that bytes that are
 * not text are possible.
 */

/** Texts, percent-encoded. */
const texts = (...values: string[]) => values.map((value) => encodeURIComponent(value))
/** Values without spaces, separated by spaces. */
const words = (list: string) => texts(...list.trim().split(/ +/))

/** Bad for every parameter. */
const everywhere = [
  // Empty, and too long
  ...['', '+', '%20', '%09', '%0A', '%0D%0A', '%00', '%7F', '%C2%85', '%C2%A0', '%E3%80%80'],
  ...['x'.repeat(101), 'f'.repeat(1_000), '9'.repeat(5_000), '%E8%8F%9C'.repeat(500)],
  // Zero width, right to left, a variation selector, a tag, a private character, joined ones
  ...texts('\u200b', '\u2060', '\ufeff', '\u202efff', '\u2066', '\ufe0f', '\u{E0061}', '\ue000'),
  // Half surrogates, overlong and truncated sequences, invalid bytes, broken escapes
  ...['%ED%A0%80', '%ED%BF%BF', '%C0%AF', '%E2%82', '%FF', '%80', '%', '%zz', '%u0041', '%2'],
  // Markup and styles
  ...texts('"/><script>alert(1)</script>', "'/><img src=x onerror=alert(1)>", '<svg onload=a()>'),
  ...words(']]> <!-- &#x3c; url(#x) url(https://example.com/x.svg) expression(alert(1)) attr(x)'),
  // Values that other systems would run, open or misread
  ...words('../../etc/passwd ..\\..\\x file:///etc/passwd / C:\\ NUL |id $(id) `id` * %s%n'),
  ...texts("' or 1=1 --", '"; drop table codes; --', '{{7*7}}', '#{7*7}', '{"$ne":null}'),
  ...words('null undefined NaN Infinity -Infinity [] {} None __proto__ constructor toString'),
  ...words('0x400 1e400 0o17 -1 -0 +1 1_0 ½ ² Ⅷ ٥ ５ १ ߅'),
]

const colours = [
  ...words('# ## #f #ff #ffff #fffff #fffffff #ffffffff ##fff #fff# #12345g #ggg #12 #1234'),
  ...words('red white black RebeccaPurple Canvas rgb(0,0,0) rgba(0,0,0,0) hsl(0,0%,0%)'),
  ...words('#٠٠٠ #０００ #аbс #ＡＢＣ ＃fff'),
  ...texts('#fff ', ' #fff', ' fff', 'f f', '# fff', 'rgb(0 0 0)', 'hwb(0 0% 0%)', 'oklch(0 0 0)'),
]

const sizes = [
  ...words('0 1 63 4097 00063 04097 99999 999999 1000000 9007199254740993 512.5 512.0 512. .5'),
  ...words("512,5 1,024 1'024 1_024 +512 -512 --512 5e2 1e3 0x200 0o1000 512n 512px 512% 512;"),
  ...texts(' 512', '512 ', '\t512', '1 024', '512 px', '512\0', '512\n', '5\u200b12', '512\u200b'),
]

const millimetres = [
  ...words('0 9 9.999 00009 2000.001 2001 99999 999999 1000000 50. .5 50.1234 50,5 5e1 1e2 0x32'),
  ...words('1_00 1,000 50n ٥٠ ５０ ५० 5０ ๕๐ 𝟓𝟎'),
  ...texts(' 50', '50 ', '50 mm', '1 000', '50\0', '50\n', '5\u200b0', '50\u200b', '\u202e50'),
]

const formats = [
  ...words('gif avif bmp tiff ps ai zip html xml json txt ico jpeg jfif jp2 heic apng emf'),
  ...words('image/png image/svg+xml application/pdf pdf/a рng ｐｎｇ 1 0 true'),
  ...texts('png ', ' png', 'svg svg', 'png\u200b', '\u202egnp'),
]

const styles = [
  ...words('dots square squares round circle classy Classic CLASSIC Rounded extra-rounded logo'),
  ...words(
    'сlassic ｃｌａｓｓｉｃ classıc fill:red color:red stroke plain style liquid 0 1 2 true',
  ),
  ...texts('rounded ', ' classic', 'classic rounded', 'classic\u200b', '\u202eclassic'),
]

const eccs = [
  ...words('l m q h LOW low medium Medium quartile high A B X Z LM MM M, M; L,M L|M Q! H+ max min'),
  ...texts('L ', ' L', 'M\u200b', '\u202eM', 'M\0'),
]

const flags = [
  ...words('0 1 2 yes no on off y n t f TRUE FALSE True False tRuE true; true,false !false truee'),
  ...texts('true ', ' true', 'true true', 'true\u200b', '\u202etrue', 'true\0'),
]

const own = {
  format: formats,
  style: styles,
  fg: colours,
  bg: colours,
  size: sizes,
  mm: millimetres,
  ecc: eccs,
  compact: flags,
}
export type Parameter = keyof typeof own

/** A good value of each parameter; two of them are too many. */
const good: Record<Parameter, [string, string]> = {
  format: ['png', 'svg'],
  style: ['classic', 'rounded'],
  ecc: ['L', 'M'],
  size: ['256', '512'],
  fg: ['abc', 'def'],
  bg: ['fff', 'eee'],
  mm: ['50', '60'],
  compact: ['true', 'false'],
}

/** Queries of one parameter with a bad value or two values, without repeats. */
export function badQueries(parameter: Parameter): string[] {
  const [one, other] = good[parameter]
  const once = new Set([...everywhere, ...own[parameter]])
  const twice = [
    [one, other],
    [one, one],
    [one, ''],
    ['', one],
  ]
  return [
    parameter,
    ...Array.from(once, (value) => `${parameter}=${value}`),
    ...twice.map((pair) => pair.map((value) => `${parameter}=${value}`).join('&')),
  ]
}
