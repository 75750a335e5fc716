import fc from 'fast-check'

/** Texts that break servers. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '\0', 'a\0b', 'a\r\nSet-Cookie: a=b', '\u202egnp.exe', '\u200b\ufeff', '\ud800'],
    ...['../../../etc/passwd', 'CON', 'javascript:alert(1)', 'https://user:pw@example.com'],
    ...['url(#x)', '"/><script>alert(1)</script>', "'; drop table codes; --", '__proto__', '%00'],
    ...['-1', '1e308', '0x10', 'NaN', 'null', '9'.repeat(400), 'x'.repeat(5_000)],
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.webUrl(),
)

/** Values of every JSON type, most of which no field takes. */
export const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, [], {}, [[]], ['a'], { toString: 'x' }),
  fc.jsonValue({ maxDepth: 3 }),
)
