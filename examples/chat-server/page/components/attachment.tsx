import { pictureOfFile } from '../lib/output-pictures.js';
import { Icon } from './icon.js';
import { Shown } from './pictures.js';

interface AttachmentProps {
  readonly url: string;
  readonly mediaType: string;
  readonly filename?: string;
  readonly isUser: boolean;
}

/** A picture is shown if this server keeps it, or if it is in the message and its bytes are those of one; every other file is named. */
export function Attachment({ url, mediaType, filename, isUser }: AttachmentProps) {
  const name = filename ?? (isUser ? mediaType : 'Picture that the model made');
  const picture = pictureOfFile(url);
  return (
    <figure className={isUser ? 'attachment' : 'picture'}>
      {picture !== undefined && <Shown picture={picture} alt={name} />}
      <figcaption>
        {picture === undefined && <Icon name="clip" />} {name}
      </figcaption>
    </figure>
  );
}
