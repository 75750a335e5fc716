import styles from './site-footer.module.css'

/** Where nothing exists yet, the link stays where it is. */
const NOWHERE = '#footer'

const columns = [
  {
    title: 'Product',
    links: [
      { text: 'Features', href: '#features' },
      { text: 'Pricing', href: '#pricing' },
      { text: 'API Docs' },
      { text: 'Integrations' },
    ],
  },
  {
    title: 'Company',
    links: [{ text: 'About' }, { text: 'Blog' }, { text: 'Careers' }, { text: 'Contact' }],
  },
  {
    title: 'Support',
    links: [
      { text: 'Help Center' },
      { text: 'Privacy Policy' },
      { text: 'Terms of Service' },
      { text: 'Status' },
    ],
  },
]

export function SiteFooter() {
  return (
    <footer id="footer" className={styles.footer}>
      <div className={styles.row}>
        <div className={styles.brand}>
          <img src="/favicon.svg" width={28} height={28} alt="" />
          Tessera
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ text, href = NOWHERE }: { text: string; href?: string }) => (
                <li key={text}>
                  <a href={href}>{text}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  )
}
