import { linkPlaceholders } from '#contract/codes/placeholders.ts'
import { Logo } from '../ui/page/logo.tsx'

const columns: { title: string; links: { text: string; href: string }[] }[] = [
  {
    title: 'Product',
    links: [
      { text: 'Features', href: '#features' },
      { text: 'Pricing', href: '#pricing' },
      { text: 'API Docs', href: '/api/docs' },
      { text: 'Integrations', href: '/api/integrations' },
    ],
  },
  {
    title: 'Company',
    links: [
      { text: 'About', href: '/api/about' },
      { text: 'Blog', href: linkPlaceholders.blog },
      { text: 'Careers', href: linkPlaceholders.careers },
      { text: 'Contact', href: linkPlaceholders.contact },
    ],
  },
  {
    title: 'Support',
    links: [
      { text: 'Help Center', href: '/api/help' },
      { text: 'Privacy Policy', href: linkPlaceholders.privacy },
      { text: 'Terms of Service', href: linkPlaceholders.terms },
      { text: 'Status', href: '/api/status' },
    ],
  },
]

/** Rendered by the build and never by a script, so its style is in landing.css. The operator's own links are filled in by the server. */
export function SiteFooter() {
  return (
    <footer id="footer" className="site-footer">
      <div className="site-footer-row band">
        <div>
          <Logo size={28} />
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ text, href }) => (
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
