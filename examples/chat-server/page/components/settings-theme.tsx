import { type Theme, THEMES, useTheme } from '../lib/theme.js';

const NAMES: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

export function SettingsTheme() {
  const [chosen, choose] = useTheme();
  return (
    <fieldset className="settings-part">
      <legend>Theme</legend>
      <div className="row">
        {THEMES.map((theme) => (
          <label key={theme} className="choice">
            <input type="radio" name="theme" value={theme} checked={theme === chosen} onChange={() => choose(theme)} />
            {NAMES[theme]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
