# Compares what anon_seq says of an instance with what the oracle says of it.
package RuleCheck;
use strict;
use warnings;
use List::Util qw(any first sum0 uniq);
use JSON::PP;
use RuleOracle;
use RuleInstance;

our $without_quasi = 0;    # instances with persons without quasi values
our $counted_people = 0;   # published instances with rules about people
my $json = JSON::PP->new->canonical->allow_nonref;
my $oracle = RuleOracle->new(%RuleValues::taxonomies);

# A fraction compared with a decimal, exactly.
sub at_most
{
	my ($n, $of, $max) = @_;
	my ($whole, $part) = "$max" =~ /^(\d*)\.?(\d*)$/ or die "no decimal: $max\n";
	return $n * 10**length($part) <= $of * "$whole$part";
}

# Attributes that are not compared, and such as cannot be.
sub compared
{
	my ($releases, $options) = @_;
	my (@waived, $cannot);
	for my $i (0 .. $#$releases)
	{
		for my $j ($i + 1 .. $#$releases)
		{
			my (undef, $waived) = eval { $oracle->compared($releases->[$i], $releases->[$j], $options) };
			if ($@) { $cannot = $@ } elsif ($i == 0) { push @waived, map { "$_ $releases->[$j]{name}" } @$waived }
		}
	}
	return (\@waived, $cannot);
}

# Every rule on releases: [ rule, bound, found, holds, matches, dangling by release name ].
sub counted
{
	my ($instance, $releases, $options) = @_;
	my (%joined, @lines);
	for my $rule ($instance->all_rules($releases))
	{
		my $key = "@{ $rule->{joins} }";
		my @these = @$releases[ 0, @{ $rule->{joins} } ];
		my ($tuples, $dangling) = @{ $joined{$key} //= [ $oracle->join_of(\@these, $options) ] };
		my @found = $oracle->count(\@these, $tuples, RulePromises::local_rule($rule));
		my $i = 0;
		for my $found (@found)
		{
			my $bound = $rule->{kind} eq 'anonymity' ? $rule->{min} : $rule->{max}[ $i++ ];
			my $holds = $rule->{kind} eq 'anonymity' ? !defined $found || $found >= $bound : at_most(@$found, $bound);
			push @lines, { rule => $rule, sign => sign($instance, $releases, $rule), bound => $bound, found => $found, holds => $holds, matches => complete($tuples), dangling => { map { $these[$_]{name} => $dangling->[$_] } 0 .. $#these } };
		}
	}
	return @lines;
}

# The rows of a join without empty partners.
sub complete { my $tuples = shift; return scalar grep { !grep { !defined } @$_ } @$tuples }

# A rule as text, the same for ours and for what is shown: kind, x, y.
sub sign
{
	my ($instance, $releases, $rule) = @_;
	my $term = sub {
		my ($r, $c) = @{ shift() };
		return 'person' if $c eq 'person';
		return "e$r" if $c eq 'record';
		return $r ? "e$r." . $instance->{earlier}[ $r - 1 ]{columns}[$c][0] : $releases->[0]{columns}[$c]{attr} eq "\0" ? $instance->{label} : $releases->[0]{columns}[$c]{attr};
	};
	return join ' ', $rule->{kind}, join(',', sort map { $term->($_) } @{ $rule->{x} }), '->', join(',', map { $term->($_) } @{ $rule->{y} });
}

sub sign_of_json
{
	my $rule = $json->decode(shift);
	my $term = sub { my $t = shift; return ref $t ? $t->{release} . (exists $t->{column} ? ".$t->{column}" : '') : $t eq 'id' ? 'person' : $t };
	return join ' ', $rule->{kind}, join(',', sort map { $term->($_) } @{ $rule->{x} }), '->', join(',', map { $term->($_) } @{ $rule->{y} });
}

sub fraction { my ($n, $of) = @_; return $n == 0 ? '0' : do { my ($a, $b) = ($n, $of); ($a, $b) = ($b, $a % $b) while $b; $n / $a . '/' . $of / $a } }

sub show { my $f = shift; return !defined $f ? 'none' : ref $f ? fraction(@$f) : "$f" }

# What refusals are in order, before anything is counted.
my @refusals = (
	[ '22023', qr/x of rule .* holds .* of some releases but not of all/ ], [ '22023', qr/lists values of column/ ], [ '22023', qr/(?:is|are) not named by any rule/ ], [ '22023', qr/^max_link cannot bound what a release tells of label/ ]);

# Returns what became of the instance, and complaints.
sub check
{
	my ($instance, $answers) = @_;
	my @wrong;
	my %options = $instance->oracle_options;
	for my $what ('preview', 'publish', 'audit', (map { "register $_->{name}" } @{ $instance->{earlier} }), 'declare')
	{
		return ('lost', "no answer to $what") if !$answers->{$what};
	}
	for my $what (sort keys %$answers)
	{
		my $a = $answers->{$what};
		push @wrong, "$what: $a->{state} $a->{message}" if ($a->{state} // '') =~ /^(XX|23|P0|42601|42883)/;
	}
	return ('fault', @wrong) if @wrong;
	for my $what (sort grep { /^register|^inconsistent/ } keys %$answers)
	{
		return ('fault', "$what: $answers->{$what}{state} $answers->{$what}{message}") if $answers->{$what}{state};
	}
	if (my $state = $answers->{declare}{state})
	{
		return ('refused when declared') if first { $state eq $_->[0] && $answers->{declare}{message} =~ $_->[1] } @refusals;
		return ('fault', "declare: $state $answers->{declare}{message} $answers->{declare}{detail}");
	}
	# Earlier releases as PostgreSQL shows them: [0,2] is [0,3).
	for my $e (@{ $instance->{earlier} })
	{
		my @names = map { $_->[0] } @{ $e->{columns} };
		my @rows = sort { ($a->{place} =~ /,(\d+)/)[0] <=> ($b->{place} =~ /,(\d+)/)[0] } @{ $answers->{"shown $e->{name}"}{rows} };
		$e->{shown} = [ map { [ @$_{@names} ] } @rows ];
	}
	if (my $town = $instance->{town})
	{
		my @rows = sort { ($a->{place} =~ /,(\d+)/)[0] <=> ($b->{place} =~ /,(\d+)/)[0] } @{ $answers->{'shown town'}{rows} };
		$town->{shown} = [ map { my $i = $_; [ @{ $rows[$i] }{ map { $_->[1] } @{ $town->{columns} } }, $town->{rows}[$i][-1] ] } 0 .. $#rows ];
	}
	push @wrong, left_out($instance, $answers) if $instance->{max_suppressed} && $answers->{publish}{rows};
	my @general = $instance->releases;
	my ($waived, $cannot) = compared(\@general, \%options);
	my $publish = $answers->{publish};
	my $preview = $answers->{preview}{rows} ? $answers->{preview}{rows}[0] : {};
	push @wrong, "preview: $answers->{preview}{message}" if $answers->{preview}{state} && !$publish->{state};
	push @wrong, 'preview says ' . ($preview->{feasible} ? 'feasible' : "not feasible, as $preview->{reason}") . ', publish otherwise' if $answers->{preview}{rows} && !$preview->{feasible} != !!$publish->{state};
	if ($publish->{state})
	{
		my $text = "publish: $publish->{state} $publish->{message} $publish->{detail}";
		if ($cannot) { return ('refused, cannot be compared', @wrong, $publish->{state} eq '42804' ? () : "$text; but $cannot") }
		return ('fault', @wrong, "$text") if $publish->{state} eq '42804';
		return refused($instance, \@general, \%options, $publish, \@wrong, $text);
	}
	return ('fault', @wrong, "published, but $cannot") if $cannot;
	my $rows = $publish->{rows}[0];
	push @wrong, "preview says $preview->{classes} classes, publish $rows->{classes}" if $preview->{feasible} && $preview->{classes} != $rows->{classes};
	push @wrong, "published $rows->{published} of " . @{ $instance->{rows} } if $rows->{published} != @{ $instance->{rows} };
	push @wrong, 'published without outer, but in the finest state some dangle' if !$options{outer} && finest_dangling($instance, \%options, 'most');
	my @releases = eval { shown($instance, $answers) };
	return ('published', @wrong, "shown: $@") if $@;
	push @wrong, audited($instance, \@releases, \%options, $answers->{audit}{rows}, $waived);
	push @wrong, joins($instance, \@releases, \%options, $answers);
	if (!$instance->{options}{search} && (my @broken = grep { !$_->{holds} } counted($instance, \@general, \%options)))
	{
		push @wrong, "published, but the most general state breaks $broken[0]{sign}: " . show($broken[0]{found});
	}
	# What nobody who is shown has, the source may have had: then the most general state is another.
	for my $broken ($instance->{max_suppressed} ? () : grep { !$_->[2] && $_->[0]{kind} ne 'min' } $instance->demanded($general[0]))
	{
		push @wrong, 'published, but the most general state breaks ' . $instance->sign_of_demand($broken->[0]) . ": $broken->[1]";
	}
	return ('published', @wrong);
}

# What a quasi column shows of persons without quasi values.
sub root { my $column = shift; return $column->{kind} eq 'label' ? $RuleValues::taxonomies{ $column->{tax} }{root} : '(,)' }

# Whether a row of texts shows no quasi value.
sub shows_none
{
	my ($instance, $columns, @texts) = @_;
	return !grep { !defined $texts[$_] || $texts[$_] ne root($columns->[$_]) } 0 .. $#{ $instance->{quasi} };
}

# Takes who was left out from the rows: all else is counted on those who are shown. They are few enough, and out with all their rows. Those without quasi values,
# where others show some, are k persons or none, and few enough with those who are out.
sub left_out
{
	my ($instance, $answers) = @_;
	my $key = sub { my $id = shift; return $instance->{person_type} eq 'text' ? $id : $id + 0 };
	my @columns = @{ ($instance->releases)[0]{columns} };
	my (%kept, %shows);
	for my $row (@{ $answers->{kept}{rows} })
	{
		my $id = $key->($row->{id});
		$kept{$id} = 1;
		$shows{$id} ||= !shows_none($instance, \@columns, map { $row->{cell}{"c$_"} } 1 .. @{ $instance->{quasi} });
	}
	%shows = %kept if !grep { $_ } values %shows;    # they could not be told from others
	$instance->{blanked} = { map { $_ => 1 } grep { !$shows{$_} } keys %kept };
	my $blanked = keys %{ $instance->{blanked} };
	my %all = map { $key->($_->[0]) => 1 } @{ $instance->{rows} };
	my ($whole, $rows) = (scalar keys %all, scalar @{ $instance->{rows} });
	my @wrong;
	push @wrong, 'persons in the ledger who are not in the source' if grep { !$all{$_} } keys %kept;
	push @wrong, $whole - keys(%kept) . " of $whole persons are out, $blanked without quasi values" if $whole - keys(%kept) + $blanked > $instance->{max_suppressed} * $whole + 1e-9;
	push @wrong, "$blanked persons without quasi values" if $blanked && ($blanked < $instance->{k} || ($instance->{options}{suppress} // 'rows') eq 'rows' || $blanked < $whole - keys(%kept));
	push @wrong, 'the audit does not count those without quasi values' if $blanked && !grep { $_->{check_name} eq 'blanked' && $json->encode($_->{detail}) =~ /"persons":$blanked\b/ } @{ $answers->{audit}{rows} };
	$instance->{is_blank} = [ map { $instance->{blanked}{ $key->($_->[0]) } } grep { $kept{ $key->($_->[0]) } } @{ $instance->{rows} } ];
	$without_quasi += $blanked > 0;
	$instance->{rows} = [ grep { $kept{ $key->($_->[0]) } } @{ $instance->{rows} } ];
	my $withheld = $answers->{publish}{rows}[0]{withheld};
	push @wrong, "withheld $withheld of $rows, shown are " . @{ $instance->{rows} } if $withheld + @{ $instance->{rows} } != $rows;
	return @wrong;
}

# How many rows match nothing in the finest state that there is: people came and went.
sub finest_dangling
{
	my ($instance, $options, $finest) = @_;
	my @raw = $instance->releases($finest);
	my %joins = map { join(' ', @{ $_->{joins} }) => $_->{joins} } $instance->all_rules(\@raw);
	my $n = 0;
	for my $joins (values %joins)
	{
		my (undef, $dangling) = $oracle->join_of([ @raw[ 0, @$joins ] ], $options);
		$n += sum0(@$dangling);
	}
	return $n;
}

# A refusal has to have its reason in the most general state.
sub refused
{
	my ($instance, $general, $options, $publish, $wrong, $text) = @_;
	my @lines = counted($instance, $general, $options);
	return ('refused, x or a release missing', @$wrong) if first { $publish->{state} eq $_->[0] && $publish->{message} =~ $_->[1] } @refusals;
	return ('refused, whoever was left out', @$wrong) if $instance->{max_suppressed};    # who that was, nobody tells
	if ($publish->{message} =~ /some records match no record/)
	{
		push @$wrong, "$text; but none dangles" if $options->{outer} || !finest_dangling($instance, $options, 'least');
		return ('refused, dangling', @$wrong);
	}
	if ($publish->{message} =~ /fewer persons than the (\d+) that are demanded/)
	{
		my $n = $1;
		push @$wrong, "$text; but no rule that breaks demands that" if !grep { $_->{bound} eq $n && !$_->{holds} } @lines;
		return ('refused, fewer than k', @$wrong);
	}
	if ($publish->{detail} =~ /The rule is (\{[^}]*"population"[^}]*\})\. The best that was reached is (.*?)\. This is/)
	{
		my ($sign, $best) = ($instance->sign_of_rule($json->decode($1)), $2);
		my ($named) = grep { $instance->sign_of_demand($_->[0]) eq $sign } $instance->demanded($general->[0]);
		$best = $best =~ /\((\d+) of (\d+)\)/ ? fraction($1, $2) : $best =~ /nobody/ ? 'nobody' : $best;
		push @$wrong, "$text; but there is no such rule as $sign" if !$named;
		push @$wrong, "$text; but the most general state keeps it: $named->[1]" if $named && $named->[2];
		push @$wrong, "$text; but in the most general state it is $named->[1]" if $named && !$instance->{options}{search} && $named->[1] ne 'left' && $named->[1] ne $best;
		return ('refused, people', @$wrong);
	}
	my ($rule, $best, $of) = $publish->{detail} =~ /The rule is (\{.*?\})\. The best that was reached is ([0-9.e-]+)(?: \((\d+ of \d+)\))?\./ or return ('fault', @$wrong, $text);
	my $sign = sign_of_json($rule);
	my @named = grep { $_->{sign} eq $sign } @lines;
	push @$wrong, "$text; but there is no such rule" if !@named;
	push @$wrong, "$text; but the most general state keeps it: " . join(' ', map { show($_->{found}) } @named) if @named && !grep { !$_->{holds} } @named;
	if (!$instance->{options}{search} && @named)
	{
		my $said = $of ? fraction($of =~ /(\d+) of (\d+)/) : $best;
		push @$wrong, "$text; but in the most general state it is " . join(' ', map { show($_->{found}) } @named) if !grep { show($_->{found}) eq $said } @named;
	}
	return ($publish->{detail} =~ /no proof|not a proof/ ? 'refused, no proof' : 'refused, proven', @$wrong);
}

# The releases as they are shown. Every source row takes what the only shown box shows that covers it in all generalized columns; this gives
# the published rows, and who is in them.
sub shown
{
	my ($instance, $answers) = @_;
	my @releases = $instance->releases;
	my $own = $releases[0];
	my @columns = grep { $own->{columns}[$_]{attr} ne "\0" } 0 .. $#{ $own->{columns} };
	my %at;
	@at{ @{ $instance->{columns} } } = 1 .. @{ $instance->{columns} };
	my @shown = map { my $row = $_; [ map { $oracle->value($own->{columns}[$_], $row->{ $own->{columns}[$_]{attr} }) } @columns ] } @{ $answers->{'shown p'}{rows} };
	my $is_blank = $instance->{is_blank} // [];
	my @classes = (grep { $_ } @$is_blank) ? grep { my $row = $_; grep { $row->[$_]{key} ne $oracle->value($own->{columns}[$_], root($own->{columns}[$_]))->{key} } 0 .. $#{ $instance->{quasi} } } @shown : @shown;
	my @quasi = 0 .. $#{ $instance->{quasi} };
	my @exact = map { +{ %{ $own->{columns}[$_] }, ranges => 0, domain => undef, values => {} } } @quasi;
	my %boxes = map { my $row = $_; (join("\1", map { $row->[$_]{key} } @quasi) => $row) } @classes;
	for my $r (0 .. $#{ $own->{rows} })
	{
		if ($is_blank->[$r]) { $own->{rows}[$r][$_] = $oracle->value($own->{columns}[$_], root($own->{columns}[$_])) for @quasi; next }
		my @v = map { $oracle->value($exact[$_], $instance->{rows}[$r][ $at{ $exact[$_]{attr} } ]) } @quasi;
		my @covering = grep { my $box = $_; !grep { !covers($exact[$_], $box->[$_], $v[$_]) } @quasi } values %boxes;
		die @covering . " boxes cover row $r: @{[ map { my $box = $_; join ' ', map { $box->[$_]{text} // 'NULL' } @quasi } @covering ]}\n" if @covering != 1;
		$own->{rows}[$r][$_] = $covering[0][$_] for @quasi;
	}
	my $line = sub { my $row = shift; join "\1", map { $row->[$_]{key} } @columns };
	my ($a, $b) = map { join "\n", sort map { $line->($_) } @$_ } $own->{rows}, \@shown;
	die "the rows are others than the source's\n$a\n--\n$b\n" if $a ne $b;
	return @releases;
}

sub covers
{
	my ($column, $shown, $v) = @_;
	return $shown->{unknown} ? 1 : 0 if $v->{null};
	return 0 if $shown->{null};
	return any { $_ eq $shown->{text} } @{ $v->{path} } if $column->{kind} eq 'label';
	return RuleOracle::meet($shown, $v);
}

sub audited
{
	my ($instance, $releases, $options, $audit, $waived) = @_;
	my @wrong;
	my (%expected, %got);
	for my $line (counted($instance, $releases, $options))
	{
		push @wrong, "does not hold: $line->{sign}: " . show($line->{found}) . ", bound $line->{bound}" if !$line->{holds};
		push @wrong, "dangling without outer: $line->{sign}" if !$options->{outer} && sum0(values %{ $line->{dangling} });
		my $dangling = join ',', map { "$_ $line->{dangling}{$_}" } sort keys %{ $line->{dangling} };
		push @{ $expected{ $line->{sign} } }, show($line->{found}) . " bound $line->{bound} matches $line->{matches} dangling " . ($dangling =~ /,/ ? $dangling : 'none');
	}
	my $last;
	my $waived_lines = 0;
	for my $line (@$audit)
	{
		$waived_lines++ if $line->{check_name} eq 'waived';
		push @wrong, "audit: $line->{check_name} $line->{scope} is " . ($line->{ok} ? 'ok' : 'not ok') . ", observed $line->{observed}" if !$line->{ok} != !!($line->{check_name} =~ /^(waived|unguarded)$/);
		if ($line->{check_name} =~ /^(anonymity|linkability)$/)
		{
			my ($rule) = $line->{scope} =~ /^p\/1: (.*)$/;
			my ($bound) = $line->{required} =~ /([0-9.]+)$/;
			my $observed = $line->{observed} =~ /^(\d+)\/(\d+)/ ? fraction($1, $2) : $line->{observed};
			push @{ $got{ sign_of_json($rule) } }, $last = [ "$observed bound $bound matches $line->{detail}{matches} dangling ", 'none' ];
		}
		if ($line->{check_name} eq 'dangling')
		{
			my ($names) = $line->{scope} =~ /^p\/1 with (.*)$/;
			my @names = ('p', split /, /, $names);
			my @n = split /, /, $line->{observed};
			my %n = map { $names[$_] => $n[$_] } 0 .. $#names;
			$last->[1] = join ',', map { "$_ $n{$_}" } sort keys %n;
		}
	}
	for my $sign (sort(uniq(keys %expected, keys %got)))
	{
		my @e = sort @{ $expected{$sign} // [] };
		my @g = sort map { join '', @$_ } @{ $got{$sign} // [] };
		push @wrong, "audit of $sign:\n  oracle " . join('; ', @e) . "\n  audit  " . join('; ', @g) if "@e" ne "@g";
	}
	push @wrong, people_audited($instance, $releases->[0], $audit) if $instance->{town};
	push @wrong, "audit: $waived_lines lines waived, oracle: " . join(', ', @$waived) if !$waived_lines != !@$waived;
	return @wrong;
}

# The checks of rules about people, and that they hold.
sub people_audited
{
	my ($instance, $own, $audit) = @_;
	my @wrong;
	my (@expected, @got);
	for my $found ($instance->demanded($own))
	{
		my $sign = $instance->sign_of_demand($found->[0]);
		push @wrong, "does not hold: $sign: $found->[1]" if !$found->[2];
		push @expected, "$sign is $found->[1]";
	}
	for my $line (grep { $_->{check_name} =~ /^(k_map|presence)$/ } @$audit)
	{
		my ($rule) = $line->{scope} =~ /^p\/1: (.*)$/;
		my $observed = $line->{observed} =~ /^(\d+)\/(\d+)/ ? fraction($1, $2) : $line->{observed};
		push @got, $instance->sign_of_rule($json->decode($rule)) . " is $observed";
		push @wrong, "audit: $line->{scope}: the population has not changed" if $line->{detail}{population_changed};
	}
	$counted_people++;
	my ($e, $g) = map { join '; ', sort @$_ } \@expected, \@got;
	push @wrong, "audit of people:\n  oracle $e\n  audit  $g" if $e ne $g;
	return @wrong;
}

sub joins
{
	my ($instance, $releases, $options, $answers) = @_;
	my @wrong;
	for my $i (0 .. $#{ $instance->{audits} })
	{
		my $audit = $instance->{audits}[$i];
		my $answer = $answers->{"join $i"} or next;
		my @these = @$releases[ @{ $audit->{tables} } ];
		my $o = $audit->{options};
		my %how = (outer => $o->{outer}, overlap => $o->{overlap} // 1, inconsistent => $options->{inconsistent});
		my (undef, $cannot) = compared(\@these, \%how);
		if ($answer->{state}) { push @wrong, "join $i: $answer->{state} $answer->{message} $answer->{detail}" if !$cannot || $answer->{state} ne '42804'; next }
		if ($cannot) { push @wrong, "join $i: done, but $cannot"; next }
		my ($tuples, $dangling) = $oracle->join_of(\@these, \%how);
		my $said = $answer->{rows}[0];
		my ($e) = $oracle->count(\@these, $tuples, { %{ $audit->{rule} }, kind => 'anonymity' });
		my @oracle = (show($e), complete($tuples), map { $dangling->[$_] } 0 .. $#these);
		my @got = ($said->{smallest_anonymity} // 'none', $said->{matches}, map { $said->{dangling}{ $_->{name} } // $said->{dangling}{"$_->{name}/1"} // '?' } @these);
		push @wrong, "join $i: oracle @oracle, audit_join @got" if "@oracle" ne "@got";
		next if !$audit->{links};
		my ($best) = sort { $b->[0] * $a->[1] <=> $a->[0] * $b->[1] } $oracle->count(\@these, $tuples, { %{ $audit->{rule} }, kind => 'linkability' });
		my $l = $said->{largest_linkability};
		push @wrong, "join $i: oracle links " . show($best) . ', audit_join ' . ($l // 'none') if defined $l ? abs($l - $best->[0] / $best->[1]) > 1e-9 : $best->[0] > 0;
	}
	return @wrong;
}

1;
